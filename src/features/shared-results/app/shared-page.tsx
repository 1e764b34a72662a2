import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Download, Flag, Sparkles } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { useParams } from 'wouter'
import { ApiError, apiFetch, errorText } from '#client/api.ts'
import { formatDate } from '#client/format.ts'
import { failureOf } from '#client/query.ts'
import { saveBlob } from '#client/save-blob.ts'
import { imageFormatInfo, imageFormats } from '#shared/media.ts'
import { findToolPage } from '#tools/pages.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { CompareSlider } from '#ui/compare-slider.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Form, useForm } from '#ui/form.tsx'
import { styleAt } from '#ui/geometry.ts'
import { PageHeader } from '#ui/page-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useAction } from '#ui/use-action.ts'
import type { SharedResult } from '../schemas.ts'
import { LinkPasswordField, openLink } from './links.tsx'

const isRefusal = (error: unknown, code: string) => error instanceof ApiError && error.code === code

/** Handed in by src/app: reporting builds on shared results. */
type ReportSheet = ComponentType<{ target: { token: string }; onClose: () => void }>

export function SharedPage({ ReportSheet }: { ReportSheet: ReportSheet }) {
  const { t } = useLingui()
  const { token = '' } = useParams()
  const query = useQuery({
    queryKey: ['shared', token],
    queryFn: () => openLink(token, null),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [unlocked, setUnlocked] = useState<SharedResult | null>(null)
  const shared = query.data ?? unlocked
  if (shared) return <Result {...shared} token={token} ReportSheet={ReportSheet} />
  if (isRefusal(query.error, 'shared_result.not_found')) {
    return (
      <EmptyState
        heading="h1"
        title={t`Tautan ini tidak berlaku`}
        action={<LinkButton to="/">{t`Coba edit fotomu`}</LinkButton>}
      >
        {t`Pengirimnya mencabutnya, waktunya sudah habis, atau alamatnya tidak lengkap.`}
      </EmptyState>
    )
  }
  if (isRefusal(query.error, 'shared_result.password_due')) return <Locked token={token} onOpen={setUnlocked} />
  const failure = failureOf(query)
  if (failure) {
    return (
      <EmptyState
        heading="h1"
        title={t`Hasil ini belum bisa dibuka`}
        action={<Button onClick={() => void query.refetch()}>{t`Coba lagi`}</Button>}
      >
        {errorText(failure)}
      </EmptyState>
    )
  }
  return (
    <div className="page">
      <PageHeader title={t`Hasil edit`} />
      <Skeleton className="h-80" />
    </div>
  )
}

const texts = { 'shared.wrong_password': msg`Kata sandinya salah. Coba lagi, ya.` }

function Locked({ token, onOpen }: { token: string; onOpen: (shared: SharedResult) => void }) {
  const { t } = useLingui()
  const form = useForm({
    defaultValues: { password: '' },
    texts,
    check: ({ password }) => ({ password: password === '' ? 'required' : null }),
    send: async ({ password }) => onOpen(await openLink(token, password)),
  })
  return (
    <div className="page max-w-md">
      <PageHeader title={t`Hasil ini dikunci`}>{t`Masukkan kata sandi dari pengirimnya.`}</PageHeader>
      <Form form={form} action={t`Buka`}>
        <LinkPasswordField {...form.field('password')} />
      </Form>
    </div>
  )
}

function Result({
  tool,
  result,
  original,
  place: placement,
  expiresAt,
  token,
  ReportSheet,
}: SharedResult & { token: string; ReportSheet: ReportSheet }) {
  const { t, i18n } = useLingui()
  const [reporting, setReporting] = useState(false)
  const page = findToolPage(tool)
  const until = formatDate(expiresAt)
  const beside = original?.contentType.startsWith('image/') && placement ? { original, placement } : null
  const aspectRatio = result.width / result.height
  const save = useAction(async () => {
    const blob = await (await apiFetch(result.url)).blob()
    const [, subtype = ''] = blob.type.split('/')
    const format = imageFormats.find((name) => name === subtype)
    await saveBlob(blob, `${tool}.${format ? imageFormatInfo[format].extension : subtype}`)
  }, t`Tersimpan di perangkatmu`)
  return (
    <div className="page max-w-3xl text-center [&>header_p]:mx-auto">
      <PageHeader title={page ? i18n._(page.definition.label) : t`Hasil edit`}>
        {t`Seseorang membagikan hasil ini denganmu. Tautannya berlaku sampai ${until}.`}
      </PageHeader>
      <div className="mx-auto grid max-w-2xl grid-cols-1 gap-6 pb-10">
        <div
          className="mx-auto overflow-hidden rounded-box shadow-lift"
          // Leaves room for the following content, unless the screen is too low for both.
          style={{ width: `min(100%, max(100dvh - 28.5rem, min(60dvh, 13rem)) * ${aspectRatio})`, aspectRatio }}
        >
          {beside ? (
            <CompareSlider
              className="size-full"
              start={0}
              before={
                <img
                  src={beside.original.url}
                  alt={t`Sebelum diedit`}
                  draggable={false}
                  style={styleAt(beside.placement, beside.original, result)}
                />
              }
              after={<Picture {...result} name={t`Hasil edit`} />}
            />
          ) : (
            <Picture {...result} name={t`Hasil edit`} />
          )}
        </div>
        {original && !beside && (
          <figure className="grid gap-2">
            <figcaption className="font-semibold">{t`Sebelum diedit`}</figcaption>
            <div className="overflow-hidden rounded-box">
              <Picture {...original} name={t`Sebelum diedit`} />
            </div>
          </figure>
        )}
        <Button
          variant="soft"
          size="lg"
          icon={Download}
          className="justify-self-center"
          busy={save.isPending}
          onClick={() => save.mutate()}
        >
          {result.contentType.startsWith('video/') ? t`Simpan video` : t`Simpan gambar`}
        </Button>
        {page && (
          <LinkButton to={page.definition.route} size="lg" icon={Sparkles} className="justify-self-center">
            {t`Buat punyamu sendiri`}
          </LinkButton>
        )}
        <Button variant="ghost" icon={Flag} className="justify-self-center" onClick={() => setReporting(true)}>
          {t`Laporkan hasil ini`}
        </Button>
      </div>
      {reporting && <ReportSheet target={{ token }} onClose={() => setReporting(false)} />}
    </div>
  )
}

function Picture({ url, contentType, width, height, name }: SharedResult['result'] & { name: string }) {
  return contentType.startsWith('video/') ? (
    // biome-ignore lint/a11y/useMediaCaption: videos of users have no captions
    <video src={url} aria-label={name} controls playsInline loop className="checker block w-full" />
  ) : (
    <img src={url} alt={name} width={width} height={height} draggable={false} className="checker block w-full" />
  )
}
