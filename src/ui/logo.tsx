import { useLingui } from '@lingui/react/macro'
import { brandName } from '#shared/brand.ts'

const petals = [
  { x: 10.4, y: 10.4, turn: -45 },
  { x: 21.6, y: 10.4, turn: 45 },
  { x: 21.6, y: 21.6, turn: -45 },
  { x: 10.4, y: 21.6, turn: 45 },
]

/** A kawung flower with one petal being changed. */
export function LogoMark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="var(--color-primary)" />
      {petals.map(({ x, y, turn }, index) => (
        <ellipse
          key={`${x} ${y}`}
          cx={x}
          cy={y}
          rx="3.5"
          ry="6.3"
          transform={`rotate(${turn} ${x} ${y})`}
          fill={index === 1 ? 'none' : 'var(--color-primary-content)'}
          stroke={index === 1 ? 'var(--color-primary-content)' : 'none'}
          strokeWidth="1.6"
          strokeDasharray={index === 1 ? '2.6 2' : undefined}
        />
      ))}
    </svg>
  )
}

/** In a narrow bar the name wraps into a hidden line. */
export function Logo() {
  return (
    <span className="inline-flex h-8 flex-wrap items-center gap-x-3 overflow-hidden">
      <LogoMark />
      <span className="text-xl font-extrabold tracking-tight">{brandName}</span>
    </span>
  )
}

/** For the spinner, whose petals animate one after the other. */
function Petals({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} fill="currentColor" aria-hidden="true">
      {petals.map(({ x, y, turn }, index) => (
        <g key={`${x} ${y}`} style={{ animationDelay: `${index * 150}ms` }}>
          <ellipse cx={x} cy={y} rx="3.8" ry="7" transform={`rotate(${turn} ${x} ${y})`} />
        </g>
      ))}
    </svg>
  )
}

export function ScreenSpinner() {
  const { t } = useLingui()
  return (
    <div role="status" className="grid min-h-[60dvh] place-items-center">
      <Petals className="size-12 text-primary-ink *:animate-pulse" />
      <span className="sr-only">{t`Memuat…`}</span>
    </div>
  )
}
