import { Plural, useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { ImageUp, SlidersHorizontal } from 'lucide-react'
import { Suspense } from 'react'
import { formatNumber } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { previewLongSide } from '#shared/media.ts'
import type { DevicePicture } from '#tools/browser/messages.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { useBetterModel } from '#tools/ui/tools-query.ts'
import { BarButton } from '#ui/bar-button.tsx'
import { Button } from '#ui/button.tsx'
import { sizeToSend } from '../picture.ts'
import { useDecoded } from '../result/rerender.ts'
import { useReveal } from '../result/reveal.ts'
import { mainInput } from './inputs.ts'
import { ReplacedNotice } from './replaced-notice.tsx'
import { StudioLayout } from './studio-layout.tsx'
import type { StudioProps } from './use-studio.ts'
import type { VisitorPreview } from './visitor-preview.ts'
import { WaitingPicture } from './waiting-picture.tsx'

const Viewer = lazyComponent(() => import('../result/viewer.tsx'), 'Viewer')

export function PreviewScreen({
  page,
  state,
  dispatch,
  preview,
  device,
  onChange,
  onOther,
  price,
  onSignUp,
}: StudioProps & {
  preview: VisitorPreview | null
  device: DevicePicture | null
  onChange: () => void
  onOther: () => void
  /** Credits; null for an example. */
  price: number | null
  onSignUp: (start: 'register' | 'login') => void
}) {
  const { t, i18n } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { definition } = page
  const picture = state.inputs[mainInput(definition)]?.[0]
  const url = useObjectUrl(picture?.original)
  const beforeUrl = useObjectUrl(preview?.before ?? picture?.original)
  const output = preview?.outputs[0]
  const outputUrl = useObjectUrl(output?.blob)
  const made = useDecoded(
    output && outputUrl
      ? { ...output, id: preview.id, url: outputUrl, name: '', contentType: output.blob.type, bytes: output.blob.size }
      : undefined,
  )
  const better = useBetterModel(page)
  const reveal = useReveal(preview?.id ?? '', preview !== null, made?.url ?? null)
  const size = picture?.size ?? null
  const sameShape = made && size && Math.abs(made.width / made.height - size.width / size.height) < 0.02
  const full = picture && sizeToSend(picture, true)
  const isReduced = full && Math.max(full.width, full.height) > previewLongSide
  const shownSize = isReduced ? `${formatNumber(full.width)} × ${formatNumber(full.height)}` : null
  const waiting = (
    <WaitingPicture
      page={page}
      state={null}
      url={url}
      size={size}
      preview={device}
      alt={t`Foto yang kamu pilih`}
      working
    />
  )
  return (
    <StudioLayout
      heading={
        made ? (preview?.onDevice ? t`Pratinjau di perangkat ini` : t`Pratinjau gratis`) : i18n._(definition.label)
      }
      actions={<BarButton icon={ImageUp} label={t`Ganti foto`} onClick={onOther} />}
      notes={state.replaced && <ReplacedNotice page={page} state={state} dispatch={dispatch} />}
      stage={
        made ? (
          <Suspense fallback={waiting}>
            <Viewer
              key={made.id}
              size={sameShape ? size : made}
              name={t`Pratinjau`}
              before={
                sameShape && beforeUrl ? <img src={beforeUrl} alt={t`Foto sebelum diedit`} draggable={false} /> : null
              }
              after={<img src={made.url} alt={t`Pratinjau hasil`} draggable={false} />}
              reveal={reveal}
            />
          </Suspense>
        ) : (
          waiting
        )
      }
      footer={
        made &&
        (signedIn ? (
          <Button size="lg" onClick={onOther}>
            {t`Coba dengan fotomu`}
          </Button>
        ) : (
          <>
            <Button size="lg" className="px-2" onClick={() => onSignUp('register')}>
              <span className="text-balance">
                {price === null ? (
                  t`Daftar gratis, coba dengan fotomu`
                ) : (
                  <>
                    {t`Daftar gratis, unduh ukuran penuh`} <span aria-hidden>·</span>{' '}
                    <span className="whitespace-nowrap font-medium">
                      <Plural value={price} one="# kredit" other="# kredit" />
                    </span>
                  </>
                )}
              </span>
            </Button>
            {price !== null && (
              <p className="text-center text-muted text-xs low:hidden">{t`Dibayar dengan kredit gratis untuk akun baru.`}</p>
            )}
            <Button variant="ghost" onClick={() => onSignUp('login')}>
              {t`Sudah punya akun? Masuk`}
            </Button>
          </>
        ))
      }
    >
      {made ? (
        <>
          <p className="leading-snug">
            {signedIn
              ? t`Begini hasilnya untuk contoh ini, tanpa kredit.`
              : shownSize
                ? t`Ini pratinjau kecil. Hasil penuhnya ${shownSize} piksel; foto dan pilihanmu ikut setelah daftar.`
                : t`Ini pratinjaunya. Foto dan pilihanmu ikut setelah daftar.`}
            {definition.needs?.(state.params).length
              ? ` ${t`Pilihan AI-mu belum terlihat di sini; hasil penuhnya memakainya.`}`
              : better && ` ${t`Hasil penuhnya dibuat model yang lebih baik.`}`}
          </p>
          <Button variant="soft" icon={SlidersHorizontal} className="justify-self-start" onClick={onChange}>
            {t`Ubah pilihannya`}
          </Button>
        </>
      ) : (
        <p role="status" className="text-muted">{t`Membuat pratinjau…`}</p>
      )}
    </StudioLayout>
  )
}
