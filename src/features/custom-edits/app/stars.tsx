import { useLingui } from '@lingui/react/macro'
import { Star } from 'lucide-react'

export function Stars({ count }: { count: number }) {
  const { t } = useLingui()
  return (
    <span role="img" aria-label={t`${count} dari 5 bintang`} className="inline-flex">
      {[1, 2, 3, 4, 5].map((one) => (
        <Star key={one} aria-hidden className={`size-4 ${one <= count ? 'fill-current text-primary' : 'text-muted'}`} />
      ))}
    </span>
  )
}
