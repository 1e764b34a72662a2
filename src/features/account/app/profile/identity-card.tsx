import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { LogOut } from 'lucide-react'
import { languageAtom } from '#client/i18n.ts'
import { userAtom } from '#client/session.ts'
import { languageNames } from '#shared/language.ts'
import { nameMaxLength } from '#shared/person-name.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { nameProblems } from '../../rules.ts'
import { chooseLanguage } from '../appearance.ts'
import { changeProfile } from '../profile-api.ts'
import { Card, Row } from './card.tsx'

export function IdentityCard({ onChangeEmail }: { onChangeEmail: () => void }) {
  const { t } = useLingui()
  const user = useAtomValue(userAtom)
  const language = useAtomValue(languageAtom)
  const form = useForm({
    values: { name: user?.name ?? '' },
    check: nameProblems,
    send: async ({ name }) => {
      await changeProfile({ name: name.trim() })
      showSnackbar('success', t`Nama sudah disimpan`)
    },
  })
  return (
    <Card title={t`Profil`}>
      <div className="flex flex-wrap items-center gap-4">
        <span
          aria-hidden="true"
          className="grid size-16 shrink-0 place-items-center rounded-full bg-soft font-extrabold text-2xl text-on-soft uppercase"
        >
          {user?.name.slice(0, 1)}
        </span>
        <div className="min-w-[min(9rem,100%)] flex-1">
          <p className="wrap-anywhere font-bold text-lg">{user?.name}</p>
          <p className="wrap-anywhere text-muted">{user?.email}</p>
        </div>
      </div>
      <LinkButton to="/logout" variant="outline" icon={LogOut}>
        {t`Keluar`}
      </LinkButton>
      <Form form={form} className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <TextField label={t`Nama`} autoComplete="name" maxLength={nameMaxLength} {...form.field('name')} />
        </div>
        {form.formState.isDirty && (
          <Button type="submit" className="mt-6.5" busy={form.busy}>
            {t`Simpan`}
          </Button>
        )}
      </Form>
      <FormProblem>{form.problem}</FormProblem>
      <Row name={t`Email`} button={{ onClick: onChangeEmail, children: t`Ganti email` }}>
        <span className="wrap-anywhere">{user?.email}</span>
      </Row>
      <Segmented
        label={t`Bahasa`}
        labelShown
        choices={{ id: { label: languageNames.id, lang: 'id' }, en: { label: languageNames.en, lang: 'en' } }}
        value={language}
        onChange={(choice) => void chooseLanguage(choice)}
      />
    </Card>
  )
}
