import { type RefObject, useEffect } from 'react'

const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** `j` and `k` move between the rows' links or buttons; arrow keys do so inside the table. */
export function useRowKeys(table: RefObject<HTMLTableElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = steps[event.key]
      const target = event.target as HTMLElement
      if (!step || !table.current || event.ctrlKey || event.metaKey || event.altKey) return
      if (target.closest?.('input, textarea, select, dialog') || document.querySelector('dialog[open]')) return
      const inside = table.current.contains(target)
      const elsewhere = target.closest?.('table') ?? document.querySelector('main table')
      if (!inside && (event.key.startsWith('Arrow') || elsewhere !== table.current)) return
      const rows = [...table.current.tBodies].flatMap((body) => [...body.rows])
      const at = rows.findIndex((row) => row.contains(target))
      const next = at < 0 ? 0 : at + step
      rows[next]?.querySelector<HTMLElement>('a, button')?.focus()
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [table])
}
