import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '#app/format.ts'
import type { AuditEntryView } from '#features/audit/contract.ts'
import { fieldWords, valueWord } from './change-words.ts'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that differ between what was and what is; what an entry leaves out afterwards has stayed. */
function changedFields(before: unknown, after: unknown): { field: string; from: unknown; to: unknown }[] {
  const [was, is] = [isFields(before) ? before : {}, isFields(after) ? after : {}]
  return Object.keys(isFields(after) ? is : was)
    .filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
    .map((field) => ({ field, from: was[field], to: is[field] }))
}

const shown = 4

/** What changed, field by field. */
export function Changes({ subject, before, after }: Pick<AuditEntryView, 'subject' | 'before' | 'after'>) {
  const { i18n } = useLingui()
  const fields = changedFields(before, after)
  const isNew = !isFields(before)
  const textOf = (field: string, value: unknown) => {
    const word = valueWord(subject.kind, field, value)
    if (word) return i18n._(word)
    if (value === null || value === undefined) return '–'
    if (Array.isArray(value)) return formatNumber(value.length)
    if (typeof value === 'number') return /id$/i.test(field) ? String(value) : formatNumber(value)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return (
    <ul className="max-w-72 text-xs">
      {fields.slice(0, shown).map(({ field, from, to }) => {
        const name = fieldWords[field] ? i18n._(fieldWords[field]) : field
        const [was, is] = [textOf(field, from), textOf(field, to)]
        return (
          <li key={field} className="truncate" title={`${name}: ${was} → ${is}`}>
            <span className="text-muted">{name}</span> {!isNew && <del className="text-muted">{was}</del>}{' '}
            <ins className="no-underline">{is}</ins>
          </li>
        )
      })}
      {fields.length > shown && <li className="text-muted">+{fields.length - shown}</li>}
    </ul>
  )
}
