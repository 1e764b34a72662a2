import '../late-components.css'
import { useState } from 'react'
import { type Change, useChange } from './queries.ts'

/** Takes effect at once and reverts when the server refuses. */
export function ChangeSwitch({
  label,
  checked,
  change,
  successMessage,
}: {
  label: string
  checked: boolean
  /** Null changes nothing, for example while a dialog asks first. */
  change: (checked: boolean) => Change | null
  successMessage?: string
}) {
  const { mutate, isPending } = useChange({ successMessage })
  const [wanted, setWanted] = useState(checked)
  const shown = isPending ? wanted : checked
  const set = () => {
    const call = change(!checked)
    if (!call) return
    setWanted(!checked)
    mutate(call)
  }
  return (
    <label className="-my-2 inline-flex cursor-pointer items-center py-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11">
      <input
        type="checkbox"
        role="switch"
        aria-checked={shown}
        className="toggle toggle-sm checked:border-success checked:bg-success checked:text-base-100"
        aria-label={label}
        checked={shown}
        onChange={set}
      />
    </label>
  )
}
