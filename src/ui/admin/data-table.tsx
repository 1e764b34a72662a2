import { useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Page } from '#contract/paging.ts'
import { Button } from '../button.tsx'
import { LoadFailed } from '../load-failed.tsx'
import { Skeleton } from '../skeleton.tsx'
import type { ListAddress } from './list-address.ts'
import { Nothing, surface } from './page.tsx'

export interface Column<Row> {
  id: string
  name: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the end of their column. */
  end?: boolean
  /** Buttons, whose column needs no heading for those who see. */
  actions?: true
  /** On a phone's card it has a line of its own. */
  wide?: true
  /** The list's orders (the address's `sort`) by this column; the first is tried first. */
  sorts?: { ascending?: string; descending?: string }
}

interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Where a row leads; its first cell is the link. */
  linkOf?: (row: Row) => string
  address?: ListAddress
  /** The list's order when the address names none. */
  defaultSort?: string
  busy?: boolean
}

/**
 * Where cells stand when a row is a card: the buttons at the end of the first line, the others two
 * to a line; wide ones and what is left over have all of it.
 */
function placesOf<Row>(columns: Column<Row>[]): Map<string, 'start' | 'end' | 'line'> {
  const places = new Map<string, 'start' | 'end' | 'line'>()
  const hasButtons = columns.some(({ actions }) => actions)
  let alone: string | undefined
  for (const [index, { id, actions, wide }] of columns.entries()) {
    const besideButtons = index === 0 && hasButtons
    if (actions) places.set(id, 'end')
    else if (wide) {
      if (alone !== undefined) places.set(alone, 'line')
      places.set(id, 'line')
      alone = undefined
    } else {
      places.set(id, alone === undefined ? 'start' : 'end')
      alone = alone === undefined && !besideButtons ? id : undefined
    }
  }
  if (alone !== undefined) places.set(alone, 'line')
  return places
}

const skeletonRows = Array.from({ length: 8 }, (_, row) => `row ${row}`)

/** The heading of a column; where the list has an order by it, a button. */
function Heading<Row>({
  column,
  sort,
  address,
  defaultSort,
}: { column: Column<Row>; sort: string | undefined } & Pick<TableProps<Row>, 'address' | 'defaultSort'>) {
  const { name, end, actions, sorts } = column
  const { ascending, descending } = sorts ?? {}
  const order = sort && (sort === ascending ? 'ascending' : sort === descending ? 'descending' : undefined)
  const Icon = order ? (order === 'ascending' ? ArrowUp : ArrowDown) : ChevronsUpDown
  const turn = () => {
    const [first, second] = descending === defaultSort ? [descending, ascending] : [ascending, descending]
    const next = sort === first ? (second ?? first) : (first ?? second)
    address?.change({ sort: next === defaultSort ? undefined : next })
  }
  return (
    <th scope="col" data-end={end || actions} aria-sort={order || undefined}>
      {sorts && address ? (
        <button
          type="button"
          className="sort inline-flex cursor-pointer items-center gap-1 rounded-sm hover:text-base-content"
          onClick={turn}
        >
          {name}
          <Icon aria-hidden className="size-3.5 opacity-70" />
        </button>
      ) : (
        <span className={actions && 'sr-only'}>{name}</span>
      )}
    </th>
  )
}

/** A table whose order stands in the address; on phones each row is a card. */
function Table<Row extends object>({
  label,
  columns,
  rows,
  keyOf,
  linkOf,
  address,
  defaultSort,
  busy,
}: TableProps<Row>) {
  const [, navigate] = useLocation()
  const sort = address?.params.sort ?? defaultSort
  const places = placesOf(columns)
  return (
    <div className="overflow-x-auto">
      <table className="table data-table" aria-label={label} aria-busy={busy || undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} address={address} defaultSort={defaultSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const link = linkOf?.(row)
            const open = (event: React.MouseEvent) => {
              if (!link || (event.target as HTMLElement).closest('a, button, input, select, label')) return
              navigate(link)
            }
            return (
              <tr key={keyOf(row)} className={link && 'row-hover cursor-pointer'} onClick={link ? open : undefined}>
                {columns.map(({ id, cell, end, name, actions }, index) => (
                  <td
                    key={id}
                    data-end={end || actions}
                    data-actions={actions}
                    data-place={places.get(id)}
                    data-label={end ? name : undefined}
                  >
                    {link && index === 0 ? (
                      <Link to={link} className="link link-hover font-semibold">
                        {cell(row)}
                      </Link>
                    ) : (
                      cell(row)
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** A list of the server's, page by page, with its states. */
export function DataTable<Row extends object>({
  query,
  address,
  empty,
  ...table
}: Omit<TableProps<Row>, 'rows' | 'busy'> & {
  query: {
    data: Page<Row> | undefined
    error: unknown
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  address: ListAddress
  /** What an empty list says. */
  empty: ReactNode
}) {
  const { t } = useLingui()
  const { data, error, isPlaceholderData, refetch } = query
  if (!data && error) {
    return (
      <section className={surface}>
        <LoadFailed error={error} onRetry={() => void refetch()} />
      </section>
    )
  }
  if (!data) {
    return (
      <section className={`${surface} gap-3 p-4`} aria-busy="true">
        {skeletonRows.map((row) => (
          <Skeleton key={row} className="h-6" />
        ))}
      </section>
    )
  }
  const { items, nextCursor } = data
  const { from = '', to = '' } = address.params
  const nothing = to !== '' && from > to ? t`Tanggal mulai harus sebelum tanggal akhir.` : empty
  return (
    <section className={surface}>
      {items.length === 0 ? (
        <Nothing>{nothing}</Nothing>
      ) : (
        <Table {...table} rows={items} address={address} busy={isPlaceholderData} />
      )}
      {(nextCursor !== null || address.back) && (
        <div className="join justify-end border-line border-t px-4 py-1.5">
          <Button
            variant="ghost"
            className="join-item"
            disabled={!address.back}
            icon={<ChevronLeft aria-hidden className="size-4" />}
            onClick={address.back}
          >
            {t`Sebelumnya`}
          </Button>
          <Button
            variant="ghost"
            className="join-item"
            disabled={nextCursor === null}
            onClick={() => nextCursor && address.next(nextCursor)}
          >
            {t`Berikutnya`}
            <ChevronRight aria-hidden className="size-4" />
          </Button>
        </div>
      )}
    </section>
  )
}

/** A short table that is whole. */
export function ShortTable<Row extends object>({
  empty,
  rows,
  ...table
}: Omit<TableProps<Row>, 'address' | 'defaultSort'> & { empty: ReactNode }) {
  return rows.length === 0 ? <Nothing>{empty}</Nothing> : <Table {...table} rows={rows} />
}
