import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { apiFetch } from '#client/api.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { TextAreaField } from '#ui/field.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { type ReportCategory, reportNoteMax } from '../rules.ts'

/** A shared link's result, or a result of the user's own. */
export type ReportTarget = { token: string } | { generationId: string; position: number }

interface Values {
  category: ReportCategory | ''
  note: string
}

export function ReportSheet({ target, onClose }: { target: ReportTarget; onClose: () => void }) {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const isShared = 'token' in target
  const categories: Record<ReportCategory, string> = {
    minor: t`Melibatkan anak`,
    sexual: t`Telanjang atau seksual`,
    without_consent: t`Fotoku atau wajahku dipakai tanpa izin`,
    deception: t`Menipu atau berpura-pura jadi orang lain`,
    hate: t`Kebencian atau kekerasan`,
    other: t`Lainnya`,
  }
  const form = useForm<Values>({
    defaultValues: { category: '', note: '' },
    texts: { category: msg`Pilih alasannya dulu, ya.`, note: msg`Ceritakan apa yang salah, ya.` },
    check: ({ category, note }) => ({
      category: category === '' ? 'category' : null,
      note: category === 'other' && note.trim() === '' ? 'note' : null,
    }),
    send: async ({ category, note }) => {
      const about = { category, note: note.trim() }
      if (signedIn) await apiFetch('/api/user/reports', { json: { ...about, ...target } })
      else if (isShared)
        await apiFetch(`/api/shared_results/${encodeURIComponent(target.token)}/reports`, { json: about })
      showSnackbar('success', t`Terima kasih, laporanmu kami terima`)
      onClose()
    },
  })
  return (
    <BottomSheet open onClose={onClose} title={t`Laporkan gambar ini`}>
      <Form form={form} className="grid gap-4">
        <p className="text-muted text-sm leading-relaxed">
          {isShared
            ? t`Pemiliknya tidak tahu siapa yang melapor.`
            : t`Ada yang tidak pantas di hasil ini? Beri tahu kami.`}{' '}
          {signedIn
            ? t`Kami periksa, lalu keputusannya kami kirim ke emailmu.`
            : t`Kami periksa secepatnya, dan mencabut tautannya kalau melanggar.`}
        </p>
        <fieldset className="grid gap-1">
          <legend className="sr-only">{t`Apa yang salah?`}</legend>
          {Object.entries(categories).map(([category, text]) => (
            <label
              key={category}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-field px-3 py-2 has-checked:bg-soft has-checked:text-on-soft"
            >
              <input
                type="radio"
                value={category}
                className="size-5 shrink-0 accent-primary"
                {...form.register('category')}
              />
              {text}
            </label>
          ))}
        </fieldset>
        <TextAreaField
          label={form.watch('category') === 'other' ? t`Ceritakan` : t`Ceritakan (boleh dikosongkan)`}
          rows={2}
          maxLength={reportNoteMax}
          {...form.field('note')}
        />
        <FormProblem>{form.errorOf('category') ?? form.problem}</FormProblem>
        <Button type="submit" size="lg" busy={form.busy}>
          {t`Kirim laporan`}
        </Button>
      </Form>
    </BottomSheet>
  )
}
