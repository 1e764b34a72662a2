import { useId } from 'react'

/** A field of kawung flowers, the old batik pattern, fading out; an ornament in the text colour. */
export function KawungField({ className = '' }: { className?: string }) {
  const id = useId()
  return (
    <svg className={`pointer-events-none ${className}`} aria-hidden="true">
      <defs>
        <pattern id={`${id}p`} width="44" height="44" patternUnits="userSpaceOnUse">
          <g fill="currentColor">
            <ellipse cx="11" cy="11" rx="4.5" ry="11" transform="rotate(-45 11 11)" />
            <ellipse cx="33" cy="11" rx="4.5" ry="11" transform="rotate(45 33 11)" />
            <ellipse cx="33" cy="33" rx="4.5" ry="11" transform="rotate(-45 33 33)" />
            <ellipse cx="11" cy="33" rx="4.5" ry="11" transform="rotate(45 11 33)" />
          </g>
        </pattern>
        <radialGradient id={`${id}g`}>
          <stop offset="0.2" stopColor="#fff" />
          <stop offset="1" stopColor="#fff" stopOpacity="0" />
        </radialGradient>
        <mask id={`${id}m`}>
          <rect width="100%" height="100%" fill={`url(#${id}g)`} />
        </mask>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id}p)`} mask={`url(#${id}m)`} />
    </svg>
  )
}
