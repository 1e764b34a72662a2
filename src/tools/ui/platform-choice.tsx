import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formatBytes, formatSize } from '#client/format.ts'
import { type PlatformId, platformIds, platformOf } from '#engine/platforms.ts'
import { ChoiceRow, Swatch } from './controls.tsx'

interface Choice<Shape> {
  value: Shape
  caption: string
  icon: ReactNode
}

/** A frame of these proportions, with their numbers in it where these are small. */
export function ShapeIcon({ width, height }: { width: number; height: number }) {
  const longest = 26 / Math.max(width, height)
  const divisor = greatestDivisor(width, height)
  const [across, down] = [width / divisor, height / divisor]
  return (
    <span
      aria-hidden
      className="grid place-items-center rounded-[4px] border-2 border-current font-bold text-[0.5625rem] leading-none"
      style={{ width: width * longest, height: height * longest }}
    >
      {across < 10 && down < 10 && `${across}:${down}`}
    </span>
  )
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other)

export function PlatformChoice<Own extends string>({
  label,
  own,
  note,
  value,
  onChange,
}: {
  label: string
  own: readonly Choice<Own>[]
  /** About the chosen own shape; platforms have their size here. */
  note?: string | false
  /** Null for a shape that is chosen elsewhere. */
  value: Own | PlatformId | null
  onChange: (shape: Own | PlatformId) => void
}) {
  const { t } = useLingui()
  const captions: Record<PlatformId, string> = {
    shopee: 'Shopee',
    tokopedia: 'Tokopedia',
    'tiktok-shop': 'TikTok',
    instagram: 'Instagram',
    sticker: t`Stiker WA`,
  }
  const choices: Choice<Own | PlatformId>[] = [
    ...own,
    ...platformIds.map((id) => ({
      value: id,
      caption: captions[id],
      icon: <ShapeIcon {...(platformOf(id) ?? { width: 1, height: 1 })} />,
    })),
  ]
  const platform = value ? platformOf(value) : undefined
  const size = platform && formatSize(platform)
  const bytes = platform && formatBytes(platform.maxBytes)
  return (
    <div className="grid gap-1.5">
      <ChoiceRow label={label} className="gap-0.5 lg:grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] lg:gap-y-1">
        {choices.map(({ value: shape, caption, icon }) => (
          <Swatch
            key={shape}
            caption={caption}
            className="bg-base-200"
            checked={value === shape}
            onSelect={() => onChange(shape)}
          >
            {icon}
          </Swatch>
        ))}
      </ChoiceRow>
      {(platform || note) && (
        <p className="text-muted text-xs">{platform ? t`${size} piksel, paling besar ${bytes}.` : note}</p>
      )}
    </div>
  )
}
