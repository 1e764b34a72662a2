/** On or off, at once. */
export function Switch({ label, checked, onChange }: { label: string; checked: boolean; onChange: () => void }) {
  return (
    <input
      type="checkbox"
      role="switch"
      aria-checked={checked}
      className="adm-switch"
      aria-label={label}
      checked={checked}
      onChange={onChange}
    />
  )
}
