import { useMemo } from 'react'
import { encode } from 'uqr'

/** White modules that scanners need around a code (ISO/IEC 18004). */
export const quietZone = 4

/** By rows; true is dark. */
export const qrModules = (content: string): boolean[][] => encode(content, { ecc: 'M', border: 0 }).data

/** Black on white in every theme. */
export function QrSvg({ content, label }: { content: string; label: string }) {
  const modules = useMemo(() => qrModules(content), [content])
  const across = modules.length + 2 * quietZone
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-quietZone} ${-quietZone} ${across} ${across}`}
      shapeRendering="crispEdges"
      className="w-full max-w-72 rounded-box border border-line bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
