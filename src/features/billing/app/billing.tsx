import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { formatDollars, formatNumber, formatRupiah } from '#client/format.ts'
import { languageAtom } from '#client/i18n.ts'
import { apiQuery } from '#client/query.ts'
import { fairUsePerDay } from '#features/credits/rules.ts'
import { backgroundRemoval } from '#tools/background-removal/contract/definition.ts'
import { useTool } from '#tools/ui/tools-query.ts'
import type { PackageList, PackageView } from '../schemas.ts'

/** Stored on the device, so that prices show offline. */
export const packagesQuery = apiQuery<PackageList>(['packages'], '/api/packages', { meta: { persist: true } })

type Offer = Pick<PackageView, 'cents' | 'idr'> & { credits: number }

/**
 * Number of pictures of `unit` credits, and the price of one, to the nearest 50 rupiah and cent.
 */
export function packageWorth(
  { credits, idr, cents }: Offer,
  unit: number,
): { pictures: number; each: Pick<PackageView, 'cents' | 'idr'> } {
  const pictures = Math.max(1, Math.floor(credits / Math.max(1, unit)))
  return { pictures, each: { idr: Math.round(idr / pictures / 50) * 50, cents: Math.round(cents / pictures) } }
}

type Priced = Pick<PackageView, 'cents' | 'idr'>

/** Price in the reader's currency, and the other one; rupiah are charged. */
export function usePrices(): (priced: Priced) => { large: string; small: string } {
  const indonesian = useAtomValue(languageAtom) === 'id'
  return ({ cents, idr }) => {
    const [rupiah, dollars] = [formatRupiah(idr), formatDollars(cents / 100)]
    return indonesian ? { large: rupiah, small: dollars } : { large: dollars, small: rupiah }
  }
}

/** The unit of a package's worth is a cut-out. */
function usePictureCredits(): number {
  return useTool(backgroundRemoval.id)?.credits ?? backgroundRemoval.defaultUnitPrice
}

// No plurals here, for the reason of CreditCount.
export function PackageWorth({ credits, ...priced }: Priced & Pick<PackageView, 'credits'>) {
  const { t, i18n } = useLingui()
  const unit = usePictureCredits()
  const tool = i18n._(backgroundRemoval.label)
  const prices = usePrices()
  const fairUse = formatNumber(fairUsePerDay)
  if (credits === null) return t`Pemakaian wajar sampai ${fairUse} hasil sehari`
  const { pictures, each: eachCosts } = packageWorth({ credits, ...priced }, unit)
  const each = prices(eachCosts).large
  const shown = formatNumber(pictures)
  return t`≈ ${shown} × ${tool}, ${each} per foto`
}

export function WorthNote() {
  const { i18n, t } = useLingui()
  const unit = usePictureCredits()
  const tool = i18n._(backgroundRemoval.label)
  const shown = formatNumber(unit)
  return unit === 1
    ? t`Dihitung dengan ${tool}: 1 kredit per foto.`
    : t`Dihitung dengan ${tool}: ${shown} kredit per foto.`
}
