import { useState } from 'react'
import { Switch } from '../switch.tsx'
import { type Change, useChange } from './queries.ts'

/** Sets something on or off at once; taken back when the server refuses. */
export function ChangeSwitch({
  label,
  checked,
  change,
  said,
}: {
  label: string
  checked: boolean
  change: (checked: boolean) => Change
  said?: string
}) {
  const { mutate, isPending } = useChange({ said })
  const [wanted, setWanted] = useState(checked)
  const set = () => {
    setWanted(!checked)
    mutate(change(!checked))
  }
  return <Switch label={label} checked={isPending ? wanted : checked} onChange={set} />
}
