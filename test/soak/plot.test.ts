import { expect, it } from 'vitest'
import { type Chart, plotSvg, roundUp } from '../../soak/plot.ts'

const chart: Chart = {
  title: 'Memory',
  unit: 'MiB',
  lines: [
    {
      name: 'all',
      points: [
        [0, 0],
        [1, 40],
        [2, 80],
      ],
    },
    {
      name: 'a <part> & "more"',
      points: [
        [0, 1],
        [2, 2],
      ],
    },
  ],
}

it('a figure is one SVG document with a path a line, for light and dark pages', () => {
  const svg = plotSvg({
    title: 'T & t',
    subtitle: 'of <all>',
    xUnit: 's',
    charts: [chart, chart, chart, chart],
  })
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 988 408" role="img"/)
  expect(svg.match(/<path class="s[01]" d="M[^"NaN]+"\/>/g)).toHaveLength(8)
  expect(svg).toContain('@media (prefers-color-scheme: dark)')
  expect(svg).toContain('<title id="title">T &#38; t</title>')
  expect(svg).toContain('a &#60;part&#62; &#38; &#34;more&#34;')
  expect(svg.match(/<g /g)).toHaveLength(4)
  expect(svg.match(/<\/g>/g)).toHaveLength(4)
})

it('lines lie between the axes', () => {
  const svg = plotSvg({ title: '', xUnit: 's', charts: [chart] })
  expect(/<path class="s0" d="(M.*?)"/.exec(svg)?.[1]).toBe('M44 128L167 88.8L290 49.6')
})

it('a chart without points, or of nothing but 0, is drawn empty', () => {
  const empty = plotSvg({
    title: '',
    xUnit: 's',
    charts: [{ title: 'none', lines: [{ name: 'none', points: [] }] }],
  })
  const zero = plotSvg({
    title: '',
    xUnit: 's',
    charts: [{ title: 'zero', lines: [{ name: 'zero', points: [[0, 0]] }] }],
  })
  expect(`${empty}${zero}`).not.toMatch(/NaN|Infinity|undefined/)
})

it('axes end at round numbers', () => {
  expect([0, 1, 1.2, 2.2, 3, 7, 99, 100, 101, 2300].map(roundUp)).toEqual([
    1, 1, 2, 2.5, 5, 10, 100, 100, 200, 2500,
  ])
})
