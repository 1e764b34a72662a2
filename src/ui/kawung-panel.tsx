import { useId } from 'react'

/** Kawung flowers, a traditional batik pattern, in the text colour. */
export function KawungPanel({ className = '', scale = 1 }: { className?: string; scale?: number }) {
  const id = useId()
  return (
    <svg className={className} aria-hidden="true">
      <defs>
        <pattern id={id} width="44" height="44" patternUnits="userSpaceOnUse" patternTransform={`scale(${scale})`}>
          <g fill="currentColor">
            <ellipse cx="11" cy="11" rx="4.5" ry="11" transform="rotate(-45 11 11)" />
            <ellipse cx="33" cy="11" rx="4.5" ry="11" transform="rotate(45 33 11)" />
            <ellipse cx="33" cy="33" rx="4.5" ry="11" transform="rotate(-45 33 33)" />
            <ellipse cx="11" cy="33" rx="4.5" ry="11" transform="rotate(45 11 33)" />
          </g>
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  )
}
