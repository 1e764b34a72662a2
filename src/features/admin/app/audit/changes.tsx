type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown) =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value)

/** The fields that differ between what was and what is. */
export function changedFields(before: unknown, after: unknown): { field: string; from: string; to: string }[] {
  const [was, is] = [isFields(before) ? before : {}, isFields(after) ? after : {}]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
    .map((field) => ({ field, from: textOf(was[field]), to: textOf(is[field]) }))
}

const shown = 4

/** What changed, field by field. */
export function Changes({ before, after }: { before: unknown; after: unknown }) {
  const fields = changedFields(before, after)
  const isNew = !isFields(before)
  return (
    <ul className="max-w-72 text-xs">
      {fields.slice(0, shown).map(({ field, from, to }) => (
        <li key={field} className="truncate" title={`${field}: ${from} → ${to}`}>
          <span className="text-muted">{field}</span> {!isNew && <del className="text-muted">{from}</del>}{' '}
          <ins className="no-underline">{to}</ins>
        </li>
      ))}
      {fields.length > shown && <li className="text-muted">+{fields.length - shown}</li>}
    </ul>
  )
}
