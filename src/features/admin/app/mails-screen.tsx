import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink, Pencil, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Language, languageNames } from '#shared/language.ts'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { adminQuery, useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxField, SelectField, TextAreaField, TextField } from '#ui/field.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Panel } from '#ui/lists/panel.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { mailLineMax, mailTextMax } from '../rules.ts'
import type { MailPreview, MailTemplates } from '../schemas.ts'

export function MailsScreen({ tabs }: { tabs: ReactNode }) {
  const { i18n, t } = useLingui()
  const { params, change } = useListParams()
  const template = params.mail ?? 'verify_email'
  const language: Language = (params.language ?? i18n.locale) === 'en' ? 'en' : 'id'
  const templates = useQuery(adminQuery<MailTemplates>('mail_templates', { language })).data?.items ?? []
  const preview = useQuery(adminQuery<MailPreview>(`mail_templates/${template}`, { language }))
  const test = useChange({ successMessage: t`Email uji sudah dikirim ke alamatmu.` })
  return (
    <AdminPage
      title={t`Pengumuman`}
      text={t`Contoh isi setiap email dengan nilai karangan. Email uji dikirim ke alamatmu sendiri, dengan tampilan lengkapnya.`}
    >
      {tabs}
      <div className="mb-4 grid items-end gap-3 sm:grid-cols-2">
        <SelectField
          label={t`Jenis email`}
          choices={Object.fromEntries(
            templates.map(({ template: id, subject, own }) => [id, own ? subject : t`${subject} (diubah)`]),
          )}
          value={template}
          onChange={({ target }) => change({ mail: target.value })}
        />
        <SelectField
          label={t`Bahasa`}
          choices={languageNames}
          value={language}
          onChange={({ target }) => change({ language: target.value })}
        />
      </div>
      <Loaded query={preview}>
        {(mail) => (
          <Panel
            title={
              <span className="flex flex-wrap items-center gap-2">
                {mail.subject} {!mail.isOwn && <Badge tone="accent">{t`Diubah`}</Badge>}
              </span>
            }
            actions={
              <>
                <a href={mail.htmlUrl} target="_blank" rel="noreferrer" className="btn btn-ghost">
                  <ExternalLink aria-hidden className="size-4" /> {t`Lihat tampilannya`}
                </a>
                <Button
                  variant="outline"
                  icon={Send}
                  busy={test.isPending}
                  onClick={() => test.mutate({ path: `mail_templates/${template}/test`, json: { language } })}
                >
                  {t`Kirim email uji`}
                </Button>
                <DialogButton
                  variant="primary"
                  icon={Pencil}
                  dialog={<TextsDialog mail={mail} template={template} language={language} />}
                >
                  {t`Ubah isi`}
                </DialogButton>
              </>
            }
          >
            <p lang={language} className="wrap-anywhere whitespace-pre-line p-4 leading-relaxed">
              {mail.text}
            </p>
          </Panel>
        )}
      </Loaded>
    </AdminPage>
  )
}

const placeholders = (names: string[]) => names.map((name) => `{${name}}`).join(' ')

function TextsDialog({
  mail: { texts, isOwn, version, allowed, needed },
  template,
  language,
}: {
  mail: MailPreview
  template: string
  language: Language
}) {
  const { t } = useLingui()
  const line = t`1 sampai ${mailLineMax} huruf, dan hanya ${placeholders(allowed)}`
  return (
    <FormDialog
      layout="wide"
      title={t`Ubah isi email`}
      text={t`Teks dalam kurung kurawal diganti saat email dikirim. Tombol dan tautannya selalu ada. Baris kosong memisahkan paragraf.`}
      successMessage={t`Isi email sudah disimpan.`}
      values={{ texts, reset: false }}
      change={({ texts: written, reset }) => ({
        path: `mail_templates/${template}`,
        method: 'PUT',
        json: { language, version, texts: reset ? null : written },
      })}
      texts={{
        'texts.subject': line,
        'texts.text':
          needed.length > 0
            ? t`1 sampai ${mailTextMax} huruf; ${placeholders(needed)} harus ada, yang lain hanya ${placeholders(allowed)}`
            : t`1 sampai ${mailTextMax} huruf, dan hanya ${placeholders(allowed)}`,
        'texts.action': line,
      }}
    >
      {({ field, watch }) => (
        <>
          {!watch('reset') && (
            <>
              <TextField label={t`Judul email`} lang={language} maxLength={mailLineMax} {...field('texts.subject')} />
              <TextAreaField
                label={t`Isi`}
                hint={t`Boleh dipakai: ${placeholders(allowed)}`}
                lang={language}
                rows={8}
                maxLength={mailTextMax}
                {...field('texts.text')}
              />
              <TextField label={t`Tulisan tombol`} lang={language} maxLength={mailLineMax} {...field('texts.action')} />
            </>
          )}
          {!isOwn && <CheckboxField label={t`Kembali ke isi bawaan`} {...field('reset')} />}
        </>
      )}
    </FormDialog>
  )
}
