import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { useListParams } from '../lists/list-params.ts'
import { Panel } from '../lists/panel.tsx'
import { Loaded } from '../lists/query-state.tsx'
import { Table, type TableProps } from '../lists/table.tsx'
import { CsvButton, DaysFilter } from './filters.tsx'
import { AdminPage } from './page.tsx'
import { type adminList, adminQuery } from './queries.ts'

function Keys() {
  const { t } = useLingui()
  const keys: [string, string][] = [
    ['J K', t`pindah baris`],
    ['Enter', t`buka`],
    ['/', t`cari`],
  ]
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 px-1 text-muted text-xs pointer-coarse:hidden max-md:hidden">
      {keys.map(([key, does]) => (
        <span key={key}>
          <kbd className="kbd kbd-sm">{key}</kbd> {does}
        </span>
      ))}
    </p>
  )
}

interface ShortListProps<Row> extends Omit<TableProps<Row>, 'busy'> {
  filters?: ReactNode
  /** Matched by the `search` parameter. */
  textOf?: (row: Row) => string
}

export function ShortList<Row extends object>({ rows, filters, textOf, ...table }: ShortListProps<Row>) {
  const words = useListParams().params.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  const found = textOf ? rows.filter((row) => words.every((word) => textOf(row).toLowerCase().includes(word))) : rows
  return (
    <div className="min-w-0">
      {filters && <div className="mb-3 flex flex-wrap items-center gap-2">{filters}</div>}
      <Panel>
        <Table {...table} rows={found} />
      </Panel>
      {filters && <Keys />}
    </div>
  )
}

/** `children` are its dialogs. */
export function TablePanel<Row extends object>({
  title,
  actions,
  children,
  ...table
}: Omit<TableProps<Row>, 'label'> & { title: string; actions?: ReactNode; children?: ReactNode }) {
  return (
    <Panel title={title} actions={actions}>
      <Table label={title} {...table} />
      {children}
    </Panel>
  )
}

type Filter = Record<string, string>

/** False entries are left out. */
type Words<Sums> = (sums: NonNullable<Sums>) => (string | false)[]

/** A failure to load the totals leaves the list usable. */
function Totals<Sums>({ path, words, filter }: { path: string; words: Words<Sums>; filter: Filter }) {
  const { t } = useLingui()
  const { data } = useQuery({ ...adminQuery<Sums>(path, filter), placeholderData: keepPreviousData as never })
  if (data === undefined) return null
  const line = data === null ? [t`Terlalu banyak untuk dijumlahkan. Persempit saringannya.`] : words(data)
  return <p className="mb-2 text-muted text-sm tabular-nums">{line.filter(Boolean).join(' · ')}</p>
}

interface ListProps<Row, Sums> extends Omit<TableProps<Row>, 'rows' | 'busy' | 'selection'> {
  list: ReturnType<typeof adminList<Row>>
  filters?: ReactNode
  file: string
  totals?: Words<Sums>
  /** Actions for chosen rows of the page. */
  bulk?: ((chosen: Row[]) => ReactNode) | undefined
  fixed?: Filter | undefined
}

/** Nothing while no row is chosen. */
function BulkActions<Row>({ chosen, actions }: { chosen: Row[]; actions: (chosen: Row[]) => ReactNode }) {
  if (chosen.length === 0) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 border-line border-b bg-soft px-4 py-2 text-on-soft"
    >
      {actions(chosen)}
    </div>
  )
}

export function List<Row extends object, Sums>({
  list,
  filters,
  file,
  fixed,
  empty,
  totals,
  bulk,
  ...table
}: ListProps<Row, Sums>) {
  const { t } = useLingui()
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const change = (changed: string[], on: boolean) =>
    setKeys(new Set(on ? [...keys, ...changed] : [...keys].filter((key) => !changed.includes(key))))
  const keyOf = (row: Row) => String(row[table.rowKey ?? ('id' as keyof Row)])
  const { params, next, back } = useListParams()
  // The page's tab parameter is not a filter.
  const { tab: _, ...shown } = { ...params, ...fixed }
  const { cursor: _cursor, sort: _sort, ...filter } = shown
  const query = useQuery(list.page(shown))
  const { from = '', to = '' } = shown
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        {filters}
        <CsvButton path={list.path} params={shown} name={file} />
      </div>
      {totals && <Totals path={`${list.path}/totals`} words={totals} filter={filter} />}
      <Panel>
        <Loaded query={query} height="m-4 h-96">
          {({ items, nextCursor }) => (
            <>
              {bulk && <BulkActions chosen={items.filter((row) => keys.has(keyOf(row)))} actions={bulk} />}
              <Table
                {...table}
                rows={items}
                selection={bulk && { keys, change, rowLabel: t`Pilih`, allLabel: t`Pilih semua di halaman ini` }}
                busy={query.isPlaceholderData}
                empty={to !== '' && from > to ? t`Tanggal mulai harus sebelum tanggal akhir.` : empty}
              />
              {(nextCursor !== null || back) && (
                <div className="flex flex-wrap justify-end border-line border-t px-4 py-1.5">
                  <Button variant="ghost" disabled={!back} icon={ChevronLeft} onClick={back}>
                    {t`Sebelumnya`}
                  </Button>
                  <Button variant="ghost" disabled={nextCursor === null} onClick={() => nextCursor && next(nextCursor)}>
                    {t`Berikutnya`}
                    <ChevronRight aria-hidden className="size-4" />
                  </Button>
                </div>
              )}
            </>
          )}
        </Loaded>
      </Panel>
      <Keys />
    </>
  )
}

export function ListPage<Row extends object, Sums>({
  label,
  actions,
  children,
  ...list
}: ListProps<Row, Sums> & { actions?: ReactNode; children?: ReactNode }) {
  return (
    <AdminPage title={label} actions={actions}>
      <List label={label} {...list} />
      {children}
    </AdminPage>
  )
}

export function Report<Body>({
  path,
  file,
  children,
}: {
  /** Below /api/admin/. */
  path: string
  file: string
  children: (report: Body) => ReactNode
}) {
  const { from = '', to = '' } = useListParams().params
  const span = { ...(from && { from }), ...(to && { to }) }
  const query = useQuery({ ...adminQuery<Body>(path, span), placeholderData: keepPreviousData as never })
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <DaysFilter />
        <CsvButton path={path} params={span} name={file} />
      </div>
      <Loaded query={query} height="h-96">
        {children}
      </Loaded>
    </>
  )
}
