import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { type Language, languageNames } from '#contract/language.ts'
import { AdminPage } from '#ui/admin/page.tsx'
import { useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/field.tsx'
import { Loaded } from '#ui/lists/loaded.tsx'
import { Panel } from '#ui/lists/panel.tsx'
import { mailPreviewQuery, mailTemplatesQuery } from '../api.ts'
import { WordsTabs } from './words-tabs.tsx'

/** How each mail reads, of an example, with a test to one's own address. */
export function MailsScreen() {
  const { i18n, t } = useLingui()
  const [template, setTemplate] = useState('verify_email')
  const [language, setLanguage] = useState<Language>(i18n.locale === 'en' ? 'en' : 'id')
  const templates = useQuery(mailTemplatesQuery(language)).data?.items ?? []
  const preview = useQuery(mailPreviewQuery(template, language))
  const test = useChange({ said: t`Email uji sudah dikirim ke alamatmu.` })
  return (
    <AdminPage
      title={t`Pengumuman`}
      text={t`Contoh isi setiap email dengan nilai karangan. Email uji dikirim ke alamatmu sendiri, dengan tampilan lengkapnya.`}
    >
      <WordsTabs />
      <div className="mb-4 grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
        <SelectField
          label={t`Jenis email`}
          choices={Object.fromEntries(templates.map((each) => [each.template, each.subject]))}
          value={template}
          onChange={({ target }) => setTemplate(target.value)}
        />
        <SelectField
          label={t`Bahasa`}
          choices={languageNames}
          value={language}
          onChange={({ target }) => setLanguage(target.value as Language)}
        />
        <Button
          icon={Send}
          busy={test.isPending}
          onClick={() => test.mutate({ path: `mail_templates/${template}/test`, json: { language } })}
        >
          {t`Kirim email uji`}
        </Button>
      </div>
      <Loaded query={preview}>
        {({ subject, text }) => (
          <Panel title={subject}>
            <p lang={language} className="wrap-anywhere whitespace-pre-line p-4 leading-relaxed">
              {text}
            </p>
          </Panel>
        )}
      </Loaded>
    </AdminPage>
  )
}
