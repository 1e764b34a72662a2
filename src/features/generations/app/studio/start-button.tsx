import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { balanceQuery } from '#app/balance.ts'
import { formatNumber } from '#app/format.ts'
import { isAuthenticatedAtom } from '#app/session.ts'
import { toolsQuery } from '#app/tools.ts'
import { Button } from '#app/ui/button.tsx'
import type { AnyToolPanel } from '#tools/panel.ts'

/** What a run of one picture costs now, and whether the tool can be used. */
export function usePrice({ facts }: AnyToolPanel, params: Record<string, unknown>) {
  const { data } = useQuery(toolsQuery)
  const tool = data?.items.find(({ id }) => id === facts.id)
  const unit = tool?.credits ?? facts.defaultUnitPrice
  return { each: facts.price(unit, params, { inputs: {} }), enabled: tool?.enabled ?? true }
}

/** The one button: what it does, what it costs, and what remains afterwards. */
export function StartButton({
  panel,
  params,
  count,
  busy,
  onStart,
  onSignUp,
  onTopUp,
}: {
  panel: AnyToolPanel
  params: Record<string, unknown>
  count: number
  busy: boolean
  onStart: (price: number) => void
  onSignUp: () => void
  onTopUp: () => void
}) {
  const { t, i18n } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { data: balance } = useQuery({ ...balanceQuery, enabled: signedIn })
  const { each, enabled } = usePrice(panel, params)
  const action = i18n._(count > 1 ? { ...panel.words.actionMany, values: { count } } : panel.words.action)
  if (!enabled) {
    return (
      <p className="rounded-field bg-soft px-4 py-3 text-on-soft text-sm">{t`Alat ini sedang dirawat. Coba lagi nanti, ya.`}</p>
    )
  }
  const unlimited = balance?.unlimitedUntil ? new Date(balance.unlimitedUntil) > new Date() : false
  const total = each * count
  const credits = balance?.credits
  const missing = signedIn && !unlimited && credits !== undefined && credits < total
  const shownTotal = formatNumber(total)
  const shownCredits = formatNumber(credits ?? 0)
  const shownRest = formatNumber((credits ?? 0) - total)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {missing ? (
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
          <Button
            size="lg"
            className="gap-1.5 px-2"
            busy={busy}
            onClick={() => (signedIn ? onStart(each) : onSignUp())}
          >
            <span>{action}</span>
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
