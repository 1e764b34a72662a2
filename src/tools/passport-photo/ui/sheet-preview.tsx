import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Box } from '#shared/media.ts'
import type { FileDrawingProps } from '#tools/ui/page.ts'
import type { PassportPhotoParams, PassportPreset, PassportRule, PrintSheet } from '../contract/definition.ts'
import { ruleOf } from '../contract/presets.ts'
import { cutMark, planSheet, sheetRules } from '../engine/sheet-plan.ts'
import { usePresets } from './use-presets.tsx'

/** Drawn by the plan of the engine, in millimetres. */
export function SheetPreview({
  sheet,
  rule,
  presets,
  className,
  photo,
}: {
  sheet: PrintSheet
  rule: PassportRule
  presets: readonly PassportPreset[]
  className: string
  photo: (rule: PassportRule, place: Box) => ReactNode
}) {
  const { t } = useLingui()
  const rules = sheetRules(sheet, rule, presets)
  const { millimetres, photos } = planSheet(sheet.paper, rules)
  const { away, length } = cutMark
  const cuts = photos.flatMap(({ x, y, width, height }) => [
    ...[x, x + width].flatMap((column) => [
      `M${column} ${y - away}v${-length}`,
      `M${column} ${y + height + away}v${length}`,
    ]),
    ...[y, y + height].flatMap((row) => [`M${x - away} ${row}h${-length}`, `M${x + width + away} ${row}h${length}`]),
  ])
  return (
    <svg
      role="img"
      aria-label={t`Pratinjau lembar cetak`}
      viewBox={`0 0 ${millimetres.width} ${millimetres.height}`}
      className={className}
    >
      <rect width="100%" height="100%" fill="#fff" />
      {photos.map((place) => (
        <g key={`${place.x} ${place.y}`}>{photo(rules[place.index]?.rule ?? rule, place)}</g>
      ))}
      {sheet.cutMarks && (
        <path d={cuts.join('')} stroke={`rgb(${cutMark.grey} ${cutMark.grey} ${cutMark.grey})`} strokeWidth="0.3" />
      )}
    </svg>
  )
}

/** Instead of a PDF, which a page cannot show; other sizes than the photo's are cut from it. */
export function PrintedSheet({ params, url }: FileDrawingProps<PassportPhotoParams>) {
  const presets = usePresets()
  const [sheet] = params.sheets
  const rule = ruleOf(params, presets)
  if (!sheet || !rule) return null
  return (
    <SheetPreview
      sheet={sheet}
      rule={rule}
      presets={presets}
      className="absolute inset-0 size-full"
      photo={(_, { x, y, width, height }) => (
        <image href={url} x={x} y={y} width={width} height={height} preserveAspectRatio="xMidYMid slice" />
      )}
    />
  )
}
