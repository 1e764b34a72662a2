export function EmptyIllustration({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 200 150" className={`max-w-full ${className}`} aria-hidden="true">
      <rect x="26" y="24" width="104" height="104" rx="22" fill="var(--color-base-300)" transform="rotate(-8 78 76)" />
      <rect
        x="66"
        y="20"
        width="108"
        height="108"
        rx="22"
        fill="var(--color-base-100)"
        stroke="var(--color-base-300)"
        strokeWidth="2"
      />
      <g fill="none" stroke="var(--color-primary)" strokeWidth="3" strokeDasharray="6 7" strokeLinecap="round">
        <path d="M78 114c2-20 14-31 42-31s40 11 42 31z" strokeLinejoin="round" />
        <circle cx="120" cy="58" r="18" />
      </g>
      <circle cx="170" cy="122" r="19" fill="var(--color-primary)" />
      <path d="M170 113v18m-9-9h18" stroke="var(--color-primary-content)" strokeWidth="4" strokeLinecap="round" />
      <path d="m40 12 3 8 8 3-8 3-3 8-3-8-8-3 8-3z" fill="var(--color-primary)" opacity="0.6" />
    </svg>
  )
}
