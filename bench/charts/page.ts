import type { ContenderName } from '../contenders/contender.ts'

/** A colour of each contender, told apart on light and on dark pages. */
const colours: Readonly<Record<ContenderName, readonly [light: string, dark: string]>> = {
  'ours-worker': ['#0969da', '#58a6ff'],
  'ours-shared': ['#1b7c83', '#39c5cf'],
  'ours-process': ['#8250df', '#bc8cff'],
  'ours-bash-worker': ['#0a3069', '#79c0ff'],
  'ours-bash-shared': ['#0b4f54', '#7ee2e6'],
  'ours-bash-process': ['#512a97', '#d2a8ff'],
  'ours-jail-shared': ['#bf3989', '#f778ba'],
  raw: ['#bc4c00', '#f0883e'],
  echo: ['#8c959f', '#8b949e'],
  'just-bash': ['#cf222e', '#ff7b72'],
  bashkit: ['#1a7f37', '#3fb950'],
  bash: ['#7d4e00', '#d29922'],
}

const rules = (shade: 0 | 1) =>
  Object.entries(colours)
    .map(([name, shades]) => `.${name} { fill: ${shades[shade]} } .line.${name} { stroke: ${shades[shade]} }`)
    .join('\n    ')

const style = `
    .paper { fill: #fff } text { fill: #1f2328; font: 12px system-ui, sans-serif } .title { font-size: 16px; font-weight: 600 }
    .case { font-weight: 600 } .quiet { fill: #59636e } .grid { stroke: #d8dee4 } .range { stroke: #1f2328; stroke-width: 1.5 }
    .line { fill: none; stroke-width: 2; stroke-linejoin: round } .end { text-anchor: end } .middle { text-anchor: middle }
    ${rules(0)}
    .line { fill: none }
    @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } text { fill: #e6edf3 } .quiet { fill: #9198a1 } .grid { stroke: #2f353d } .range { stroke: #e6edf3 }
    ${rules(1)}
    .line { fill: none }
    }`

/** The text of an SVG element. */
export function textAt(x: number, y: number, text: string, classes = ''): string {
  return `<text class="${classes}" x="${fixed(x)}" y="${fixed(y)}">${escapeXml(text)}</text>`
}

/** A straight line. */
export function lineFrom(x1: number, y1: number, x2: number, y2: number, classes: string): string {
  return `<line class="${classes}" x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}"/>`
}

/** A whole SVG document, readable on light and on dark pages. */
export function page(width: number, height: number, title: string, body: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${escapeXml(title)}</title>
<style>${style}
</style>
<rect class="paper" width="${width}" height="${height}"/>
${body.join('\n')}
</svg>
`
}

/** A coordinate with one digit after the point. */
export function fixed(value: number): number {
  return Math.round(value * 10) / 10
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
