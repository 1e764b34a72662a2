/** On or off, at once; around it the room that a finger needs. */
export function Switch({ label, checked, onChange }: { label: string; checked: boolean; onChange: () => void }) {
  return (
    <label className="-my-2 inline-flex cursor-pointer py-2">
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className="toggle toggle-sm checked:border-success checked:bg-success checked:text-base-100"
        aria-label={label}
        checked={checked}
        onChange={onChange}
      />
    </label>
  )
}
