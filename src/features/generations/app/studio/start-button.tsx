import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { balanceQuery } from '#app/balance.ts'
import { formatNumber } from '#app/format.ts'
import { isAuthenticatedAtom } from '#app/session.ts'
import { showSnackbar } from '#app/snackbar.tsx'
import { toolsQuery } from '#app/tools.ts'
import { Button } from '#app/ui/button.tsx'
import type { AnyToolPage } from '#tools/page.ts'
import { missingInput, runFacts, runsOf } from './inputs.ts'
import { hasPictures, type StudioState } from './studio-state.ts'

/** What each of the runs costs now, and whether the tool can be used. */
export function usePrices({ facts }: AnyToolPage, { inputs, params, shrink, mask }: StudioState) {
  const { data } = useQuery(toolsQuery)
  const tool = data?.items.find(({ id }) => id === facts.id)
  const unit = tool?.credits ?? facts.defaultUnitPrice
  const runs = hasPictures({ inputs }) ? runsOf(facts, inputs) : [inputs]
  return {
    each: runs.map((run) => facts.price(unit, params, runFacts(facts, run, { shrink, mask }))),
    enabled: tool?.enabled ?? true,
  }
}

/** The one button: what it does, what it costs, and what remains afterwards. */
export function StartButton({
  page,
  state,
  busy,
  onStart,
  onSignUp,
  onTopUp,
}: {
  page: AnyToolPage
  state: StudioState
  busy: boolean
  /** With the price of each run. */
  onStart: (price: number) => void
  onSignUp: () => void
  onTopUp: () => void
}) {
  const { t, i18n } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { data: balance } = useQuery({ ...balanceQuery, enabled: signedIn })
  const { each, enabled } = usePrices(page, state)
  const { action, actionMany = action } = page.words
  const count = each.length
  const label = i18n._(count > 1 ? { ...actionMany, values: { count } } : action)
  const missing = missingInput(page.facts, state.inputs)
  const start = () => {
    const undone = page.stage?.missing?.(state.stage)
    if (missing && hasPictures(state)) showSnackbar('error', t`Pilih dulu: ${i18n._(missing.label)}`)
    else if (undone && hasPictures(state)) showSnackbar('error', i18n._(undone))
    else if (signedIn) onStart(Math.max(...each))
    else onSignUp()
  }
  if (!enabled) {
    return (
      <p className="rounded-field bg-soft px-4 py-3 text-on-soft text-sm">{t`Alat ini sedang dirawat. Coba lagi nanti, ya.`}</p>
    )
  }
  const unlimited = balance?.unlimitedUntil ? new Date(balance.unlimitedUntil) > new Date() : false
  const total = each.reduce((sum, price) => sum + price, 0)
  const credits = balance?.credits
  const poor = signedIn && !unlimited && credits !== undefined && credits < total
  const shownTotal = formatNumber(total)
  const shownCredits = formatNumber(credits ?? 0)
  const shownRest = formatNumber((credits ?? 0) - total)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {poor ? (
        <>
          <p className="text-sm leading-relaxed" id="credits-missing">
            <Trans>
              Butuh <strong>{shownTotal} kredit</strong>, saldomu {shownCredits}. Fotomu tetap tersimpan di sini.
            </Trans>
          </p>
          <Button size="lg" aria-describedby="credits-missing" onClick={onTopUp}>
            {t`Tambah kredit`}
          </Button>
        </>
      ) : (
        <>
          <Button size="lg" className="gap-1.5 px-2" busy={busy} onClick={start}>
            <span>{label}</span>
            <span aria-hidden>·</span>
            <span className="font-medium">
              {unlimited ? t`tanpa batas` : <Plural value={total} one="# kredit" other="# kredit" />}
            </span>
          </Button>
          <p className="text-center text-muted text-xs">
            {!signedIn && t`Daftar gratis dan dapat kredit untuk mencoba.`}
            {signedIn && unlimited && t`Paketmu tanpa batas: tidak ada kredit yang terpakai.`}
            {signedIn &&
              !unlimited &&
              credits !== undefined &&
              t`Saldo ${shownCredits} kredit, sisa ${shownRest} setelah ini.`}
            {signedIn && !unlimited && credits === undefined && '\u00a0'}
          </p>
        </>
      )}
    </div>
  )
}
