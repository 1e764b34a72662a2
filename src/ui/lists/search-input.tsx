import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

const typingMilliseconds = 250

export function SearchInput({
  value,
  onSearch,
  label,
  className = 'w-72 max-md:w-full',
}: {
  /** Term of the shown list. */
  value: string
  onSearch: (typed: string) => void
  label: string
  className?: string
}) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const latest = useRef({ onSearch, asked: value })
  latest.current.onSearch = onSearch
  useEffect(() => {
    const asked = typed.trim()
    if (asked === latest.current.asked) return
    const timer = setTimeout(() => {
      latest.current.asked = asked
      latest.current.onSearch(asked)
    }, typingMilliseconds)
    return () => clearTimeout(timer)
  }, [typed])
  // A link led to another search, or to none.
  useEffect(() => {
    if (value === latest.current.asked) return
    latest.current.asked = value
    setTyped(value)
  }, [value])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement).closest?.('input, textarea, select, dialog')
      if (event.key !== '/' || typing) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="relative max-md:w-full">
      <Search aria-hidden className="absolute top-1/2 left-3 z-1 size-4 -translate-y-1/2 text-muted" />
      <input
        ref={field}
        type="search"
        className={`input max-w-full border-line ps-9 ${className}`}
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  )
}
