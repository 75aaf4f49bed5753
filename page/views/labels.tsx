import { visible } from '../text/visible.ts'

/** The labels of a sandbox. */
export function Labels({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(labels).map(([name, value]) => (
        <span key={name} class="label">
          <span class="label-name">{name}</span> {visible(value)}
        </span>
      ))}
    </>
  )
}
