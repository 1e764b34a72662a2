/** WhatsApp is the most common way to share pictures in Indonesia. */
export function WhatsappMark({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={className} fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
      <path d="M3.2 20.8 4.6 16A8.6 8.6 0 1 1 8 19.400z" strokeLinejoin="round" />
      <path
        d="M9 8.200c-.5.3-.8 1-.6 1.800.6 2.400 2.300 4.200 4.700 5 .8.3 1.600 0 2-.6l.3-.8-1.900-1.200-1 .8c-1-.4-1.800-1.200-2.300-2.200l.8-1-1.100-2z"
        fill="currentColor"
        stroke="none"
      />
    </svg>
  )
}
