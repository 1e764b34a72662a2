import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { validate as isUuid } from 'uuid'
import { formatDateTime, formatDollars, formatNumber, formatRupiah } from '#client/format.ts'
import { formatWib } from '#client/wib.ts'
import { useToolName } from '#tools/tool-name.ts'
import { ChoiceFilter, ChosenFilter, DaysFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { ListPage } from '#ui/admin/list.tsx'
import { adminList, adminQuery } from '#ui/admin/queries.ts'
import { Badge } from '#ui/lists/cells.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Code, TextLink } from '#ui/lists/panel.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import type { AuditEntryView, SecurityEventView } from '../../schemas.ts'
import { actionLabels, kindLabels, securityDetailLabels, securityEvents, subjectLabels } from './labels.ts'

const subjectPaths: Record<string, (id: string) => string> = {
  account: (id) => `/admin/users/${id}`,
  order: (id) => `/admin/billing/${id}`,
  custom_edit: (id) => `/admin/request-custom?id=${id}`,
  tool: (id) => `/admin/fitur?tool=${id}`,
}

type Labels = Record<string, Record<string, MessageDescriptor>>

/** Contributed by the features whose acts are audited. */
interface AuditLabels {
  /** By kind and id. */
  subjectNames: Labels
  /** By kind and field, such as `order.status`. */
  values: Labels
}

function Subject({
  subject: { kind, id },
  after,
  subjectNames,
}: Pick<AuditEntryView, 'subject' | 'after'> & Pick<AuditLabels, 'subjectNames'>) {
  const { i18n } = useLingui()
  const toolName = useToolName()
  const label = subjectLabels[kind]
  const { code } = Object(after)
  const known = subjectNames[kind]?.[id]
  const name = () => {
    if (kind === 'tool') return toolName(id)
    if (known) return i18n._(known)
    if (kind === 'voucher' && typeof code === 'string') return code
    return id.length > 20 ? id.slice(-8) : id
  }
  // There is only one rate.
  const text = [label ? i18n._(label) : kind, kind !== 'exchange_rate' && name()].filter(Boolean).join(' ')
  const path = subjectPaths[kind]
  if (!path) return text
  return <TextLink to={path(id)}>{text}</TextLink>
}

function Action({ action }: Pick<AuditEntryView, 'action'>) {
  const { i18n } = useLingui()
  const label = actionLabels[action]
  return (
    <span>
      {label && <span className="block font-semibold">{i18n._(label)}</span>}
      <span className={`font-mono text-muted text-xs ${label ? 'max-md:hidden' : ''}`}>{action}</span>
    </span>
  )
}

export function AuditScreen({ subjectNames, values }: AuditLabels) {
  const { t } = useLingui()
  return (
    <ListPage
      label={t`Log audit`}
      list={adminList<AuditEntryView>('audit')}
      file="rupa-audit"
      defaultSort="newest"
      empty={t`Tidak ada catatan yang cocok dengan saringan ini.`}
      filters={
        <>
          <SearchFilter label={t`Dilakukan oleh`} />
          <SearchFilter name="subjectId" label={t`ID yang diubah`} />
          <ChoiceFilter name="action" label={t`Tindakan`} all={t`Semua tindakan`} choices={kindLabels} />
          <DaysFilter />
          <ChosenUser name="actor" />
        </>
      }
      columns={[
        {
          name: t`Waktu`,
          sorts: createdAtColumn.sorts,
          cell: ({ createdAt, actorName, actorId }) => (
            <span>
              <span className="block whitespace-nowrap">{formatDateTime(createdAt)}</span>
              <span className="text-muted text-xs">{actorName ?? (actorId ? t`Akun terhapus` : t`Server`)}</span>
            </span>
          ),
        },
        { name: t`Tindakan`, cell: ({ action }) => <Action action={action} /> },
        { name: t`Tentang`, cell: (entry) => <Subject {...entry} subjectNames={subjectNames} /> },
        { name: t`Perubahan`, as: 'wide', cell: (entry) => <Changes {...entry} values={values} /> },
        { name: t`Alasan`, as: 'wide', cell: ({ reason }) => reason },
      ]}
    />
  )
}

/** Other fields keep the name they have in the log. */
const fieldLabels: Record<string, MessageDescriptor> = {
  accepted: msg`Disetujui`,
  active: msg`Aktif`,
  amountIdr: msg`Rupiah yang dikirim kembali`,
  balance: msg`Saldo`,
  cents: msg`Harga paket`,
  action: msg`Tulisan tombol`,
  code: msg`Kode`,
  credits: msg`Kredit`,
  days: msg`Hari`,
  designer: msg`Desainer`,
  disabled: msg`Nonaktif`,
  duty: msg`Tugas staf`,
  enabled: msg`Menyala`,
  endsAt: msg`Sampai`,
  error: msg`Kode kesalahan`,
  file: msg`Berkas`,
  files: msg`Berkas`,
  idrPerUsd: msg`Rupiah per dolar`,
  kind: msg`Jenis`,
  leftIdr: msg`Rupiah yang tersisa`,
  licence: msg`Lisensi`,
  limitPerUser: msg`Batas per orang`,
  limitTotal: msg`Batas total`,
  markRequired: msg`Tanda AI wajib`,
  message: msg`Pesan`,
  messageEn: msg`Pesan dalam bahasa Inggris`,
  name: msg`Nama`,
  passkeys: msg`Kunci sandi`,
  position: msg`Urutan`,
  problem: msg`Masalah`,
  providers: msg`Urutan mesin`,
  receivedIdr: msg`Rupiah yang masuk`,
  reference: msg`Nomor transfer`,
  remoteAllowed: msg`Layanan luar`,
  role: msg`Peran`,
  rule: msg`Aturan`,
  settled: msg`Diselesaikan`,
  startsAt: msg`Mulai`,
  status: msg`Status`,
  subject: msg`Judul email`,
  task: msg`Tugas`,
  template: msg`Jenis email`,
  text: msg`Isi`,
  totp: msg`Aplikasi autentikator`,
  unit: msg`Kredit per satuan`,
  validFrom: msg`Mulai`,
  validUntil: msg`Sampai`,
  value: msg`Nilai`,
}

const yesNo: Record<string, MessageDescriptor> = { true: msg`ya`, false: msg`tidak` }

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Technical fields that do not describe the change. */
const hiddenFields = new Set(['id', 'version', 'entryId', 'uses', 'createdAt'])

/** By path, such as `rule.width`. */
function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (!isFields(value)) return new Map(path === '' ? [] : [[path, value]])
  const fields = Object.entries(value).filter(([field]) => path !== '' || !hiddenFields.has(field))
  return new Map(fields.flatMap(([field, inner]) => [...leavesOf(inner, path === '' ? field : `${path}.${field}`)]))
}

/** A field missing afterwards is unchanged. */
function changedFields(before: unknown, after: unknown): { field: string; from: unknown; to: unknown }[] {
  const [was, is] = [leavesOf(before), leavesOf(after)]
  return [...(isFields(after) ? is : was).keys()]
    .map((field) => ({ field, from: was.get(field) ?? null, to: is.get(field) ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}

const shown = 4

function Changes({
  subject,
  before,
  after,
  actorId,
  actorName,
  values,
}: Pick<AuditEntryView, 'subject' | 'before' | 'after' | 'actorId' | 'actorName'> & Pick<AuditLabels, 'values'>) {
  const { i18n } = useLingui()
  const fields = changedFields(before, after)
  const nameOf = (field: string) => {
    const [first = '', ...rest] = field.split('.')
    const label = fieldLabels[first]
    return [label ? i18n._(label) : first, ...rest].join(' ')
  }
  const textOf = (field: string, value: unknown) => {
    const labels = typeof value === 'boolean' ? yesNo : values[`${subject.kind}.${field}`]
    const label = labels?.[String(value)]
    if (label) return i18n._(label)
    if (value === null) return '–'
    if (Array.isArray(value)) return formatNumber(value.length)
    if (typeof value === 'number') {
      if (field === 'cents') return formatDollars(value / 100)
      return /^idr|Idr$/.test(field) ? formatRupiah(value) : formatNumber(value)
    }
    const text = String(value)
    if (isUuid(text)) return text === actorId && actorName ? actorName : text.slice(-8)
    return /^\d{4}-\d\d-\d\dT/.test(text) ? formatWib(text) : text
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

function ChosenUser({ name }: { name: string }) {
  const id = useListParams().params[name]
  const { data } = useQuery({ ...adminQuery<{ name: string }>(`users/${id}`), enabled: id !== undefined })
  return id && <ChosenFilter name={name} text={data?.name ?? id.slice(-8)} />
}

const networkLabels: Record<string, MessageDescriptor> = {
  local: msg`Komputer server`,
  private: msg`Jaringan pribadi`,
}

/** Addresses and routes stay unchanged. */
function Term({ labels, name }: { labels: Record<string, MessageDescriptor>; name: string | null }) {
  const { i18n } = useLingui()
  const label = name === null ? undefined : labels[name]
  return label ? i18n._(label) : <Code>{name ?? '–'}</Code>
}

const kinds = Object.fromEntries(Object.entries(securityEvents).map(([kind, { label }]) => [kind, label]))

export function SecurityScreen() {
  const { i18n, t } = useLingui()
  return (
    <ListPage
      label={t`Log keamanan`}
      list={adminList<SecurityEventView>('security_events')}
      file="rupa-security"
      defaultSort="newest"
      empty={t`Tidak ada peristiwa yang cocok dengan saringan ini. Log ini disimpan setengah tahun.`}
      filters={
        <>
          <SearchFilter label={t`Cari nama atau email`} />
          <ChoiceFilter name="kind" label={t`Peristiwa`} all={t`Semua peristiwa`} choices={kinds} />
          <DaysFilter />
          <ChosenUser name="user" />
        </>
      }
      columns={[
        {
          name: t`Waktu`,
          sorts: createdAtColumn.sorts,
          cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatDateTime(createdAt)}</span>,
        },
        {
          name: t`Peristiwa`,
          cell: ({ kind }) => <Badge tone={securityEvents[kind].tone}>{i18n._(securityEvents[kind].label)}</Badge>,
        },
        {
          name: t`Akun`,
          cell: ({ userId, userName }) =>
            userId ? (
              <TextLink to={`/admin/users/${userId}`}>{userName ?? t`Akun terhapus`}</TextLink>
            ) : (
              <span className="text-muted">{t`Tidak dikenal`}</span>
            ),
        },
        { name: t`Jaringan`, cell: ({ addressClass }) => <Term labels={networkLabels} name={addressClass} /> },
        { name: t`Rincian`, as: 'wide', cell: ({ detail }) => <Term labels={securityDetailLabels} name={detail} /> },
      ]}
    />
  )
}
