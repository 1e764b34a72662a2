import { useLingui } from '@lingui/react/macro'
import { Music2, RectangleVertical, ShoppingBag, Smile, Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatBytes, formatNumber } from '#client/format.ts'
import { type PlatformId, platformIds, platformOf } from '#engine/platforms.ts'
import { ChoiceRow, Swatch } from './controls.tsx'

interface Choice<Shape> {
  value: Shape
  caption: string
  icon: ReactNode
}

export function PlatformChoice<Own extends string>({
  label,
  own,
  value,
  onChange,
}: {
  label: string
  own: readonly Choice<Own>[]
  value: Own | PlatformId
  onChange: (shape: Own | PlatformId) => void
}) {
  const { t } = useLingui()
  const marks: Record<PlatformId, Omit<Choice<PlatformId>, 'value'>> = {
    shopee: { caption: 'Shopee', icon: <ShoppingBag aria-hidden className="size-5" /> },
    tokopedia: { caption: 'Tokopedia', icon: <Store aria-hidden className="size-5" /> },
    'tiktok-shop': { caption: 'TikTok', icon: <Music2 aria-hidden className="size-5" /> },
    instagram: { caption: 'Instagram', icon: <RectangleVertical aria-hidden className="size-5" /> },
    sticker: { caption: t`Stiker WA`, icon: <Smile aria-hidden className="size-5" /> },
  }
  const choices: Choice<Own | PlatformId>[] = [...own, ...platformIds.map((id) => ({ value: id, ...marks[id] }))]
  const platform = platformOf(value)
  const size = platform && `${formatNumber(platform.width)} × ${formatNumber(platform.height)}`
  const bytes = platform && formatBytes(platform.maxBytes)
  return (
    <div className="grid gap-1.5">
      <ChoiceRow label={label} className="gap-0.5 lg:grid-cols-5 lg:gap-y-1">
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
      {platform && <p className="text-muted text-xs">{t`${size} piksel, paling besar ${bytes}.`}</p>}
    </div>
  )
}
