import { useLingui } from '@lingui/react/macro'
import { validate as isUuid } from 'uuid'
import { formatDate, formatDollars, formatNumber, formatRupiah } from '#client/format.ts'
import type { AuditEntryView } from '#features/audit/types.ts'
import { fieldLabels, valueLabel } from './change-labels.ts'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What says which row it is or how often it changed, and not what somebody did. */
const silent = new Set(['id', 'version', 'entryId', 'uses', 'createdAt'])

/** The values of an object by their paths: `rule.width`. */
function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (!isFields(value)) return new Map(path === '' ? [] : [[path, value]])
  const fields = Object.entries(value).filter(([field]) => path !== '' || !silent.has(field))
  return new Map(fields.flatMap(([field, inner]) => [...leavesOf(inner, path === '' ? field : `${path}.${field}`)]))
}

/**
 * The fields that differ between what was and what is; what an entry leaves out afterwards has
 * stayed.
 */
function changedFields(before: unknown, after: unknown): { field: string; from: unknown; to: unknown }[] {
  const [was, is] = [leavesOf(before), leavesOf(after)]
  return [...(isFields(after) ? is : was).keys()]
    .map((field) => ({ field, from: was.get(field) ?? null, to: is.get(field) ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}

const shown = 4

/** What changed, field by field. */
export function Changes({
  subject,
  before,
  after,
  actorId,
  actorName,
}: Pick<AuditEntryView, 'subject' | 'before' | 'after' | 'actorId' | 'actorName'>) {
  const { i18n } = useLingui()
  const fields = changedFields(before, after)
  const nameOf = (field: string) => {
    const [first = '', ...rest] = field.split('.')
    const label = fieldLabels[first]
    return [label ? i18n._(label) : first, ...rest].join(' ')
  }
  const textOf = (field: string, value: unknown) => {
    const label = valueLabel(subject.kind, field, value)
    if (label) return i18n._(label)
    if (value === null) return '–'
    if (Array.isArray(value)) return formatNumber(value.length)
    if (typeof value === 'number') {
      if (field === 'cents') return formatDollars(value / 100)
      return field === 'idrPerUsd' ? formatRupiah(value) : formatNumber(value)
    }
    const text = String(value)
    if (isUuid(text)) return text === actorId && actorName ? actorName : text.slice(-8)
    return /^\d{4}-\d\d-\d\dT/.test(text) ? formatDate(text) : text
  }
  return (
    <ul className="text-xs md:max-w-72">
      {fields.slice(0, shown).map(({ field, from, to }) => {
        const [name, was, is] = [nameOf(field), textOf(field, from), textOf(field, to)]
        return (
          <li key={field} className="truncate" title={from === null ? `${name}: ${is}` : `${name}: ${was} → ${is}`}>
            <span className="text-muted">{name}</span> {from !== null && <del className="text-muted">{was}</del>}{' '}
            <ins className="no-underline">{is}</ins>
          </li>
        )
      })}
      {fields.length > shown && <li className="text-muted">+{fields.length - shown}</li>}
    </ul>
  )
}
