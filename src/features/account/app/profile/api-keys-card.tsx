import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { apiFetch, apiJson, errorText } from '#client/api.ts'
import { formatAge, formatDate, formatNumber, parseNumber } from '#client/format.ts'
import { apiQuery } from '#client/query.ts'
import { type ApiKeyMode, type ApiKeyScope, apiKeyNameMax, apiKeyScopes } from '#shared/api-key.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { CheckboxField, SelectField, TextField } from '#ui/field.tsx'
import { Form } from '#ui/form.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { copyText, useAction } from '#ui/use-action.ts'
import type { ApiKeyCreated, ApiKeyView } from '../../api-key-schemas.ts'
import { ReauthenticationFields } from '../reauthentication/reauthentication-form.tsx'
import { useReauthentication } from '../reauthentication/use-reauthentication.ts'
import { Card, Row } from './card.tsx'

const apiKeysQuery = apiQuery<{ items: ApiKeyView[] }>(['account', 'api-keys'], '/api/user/api_keys', { staleTime: 0 })

export function ApiKeysCard() {
  const { t } = useLingui()
  const keys = useQuery(apiKeysQuery)
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiKeyView | null>(null)
  const name = revoked?.name ?? ''
  const revoke = useAction(async ({ id }: ApiKeyView) => {
    await apiFetch(`/api/user/api_keys/${id}`, { method: 'DELETE' })
    setRevoked(null)
    await keys.refetch()
  }, t`Kunci dicabut`)
  return (
    <Card title={t`Kunci API`}>
      <p className="text-muted text-sm leading-relaxed">
        {t`Untuk program dan plugin yang memakai Rupa dengan kreditmu.`}{' '}
        <Link to="/developers" className="font-semibold text-primary-ink underline">
          {t`Panduan pengembang`}
        </Link>
      </p>
      {keys.isPending && <Skeleton className="h-14" />}
      {keys.isError && !keys.data && <p className="text-muted">{errorText(keys.error)}</p>}
      {keys.data && keys.data.items.length > 0 && (
        <ul className="grid gap-4">
          {keys.data.items.map((key) => (
            <li key={key.id}>
              <KeyRow apiKey={key} onRevoke={() => setRevoked(key)} />
            </li>
          ))}
        </ul>
      )}
      <Button variant="outline" onClick={() => setCreating(true)}>
        {t`Buat kunci`}
      </Button>
      <BottomSheet open={isCreating} onClose={() => setCreating(false)} title={t`Kunci API baru`}>
        <NewKey
          count={keys.data?.items.length ?? 0}
          onCreated={() => void keys.refetch()}
          onDone={() => setCreating(false)}
        />
      </BottomSheet>
      <BottomSheet open={revoked !== null} onClose={() => setRevoked(null)} title={t`Cabut ${name}?`}>
        <div className="grid gap-5">
          <p className="leading-relaxed">
            {t`Program yang memakai kunci ini langsung berhenti bekerja. Kunci yang dicabut tidak bisa dipakai lagi.`}
          </p>
          <Button size="lg" variant="danger" busy={revoke.isPending} onClick={() => revoked && revoke.mutate(revoked)}>
            {t`Cabut kunci`}
          </Button>
        </div>
      </BottomSheet>
    </Card>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKeyView; onRevoke: () => void }) {
  const { t } = useLingui()
  const { name, hint, mode, dailyCredits, lastUsedAt, expiresAt } = apiKey
  const scopeNames = useScopeNames()
  const used = lastUsedAt && formatAge(lastUsedAt)
  const end = expiresAt && formatDate(expiresAt)
  const facts = [
    `${hint}…`,
    mode === 'test' ? t`uji` : t`utama`,
    ...apiKey.scopes.map((scope) => scopeNames[scope].short),
    dailyCredits !== null && t`${formatNumber(dailyCredits)} kredit sehari`,
    used ? t`terakhir dipakai ${used}` : t`belum pernah dipakai`,
    end && t`berlaku sampai ${end}`,
  ]
  return (
    <Row name={name} button={{ 'aria-label': t`Cabut ${name}`, onClick: onRevoke, children: t`Cabut` }}>
      <span className="wrap-anywhere">{facts.filter(Boolean).join(' · ')}</span>
    </Row>
  )
}

function useScopeNames(): Record<ApiKeyScope, { short: string; long: string }> {
  const { t } = useLingui()
  return {
    run: { short: t`jalankan`, long: t`Jalankan alat dan hapus hasil` },
    read: { short: t`baca`, long: t`Lihat dan unduh hasil` },
    balance: { short: t`saldo`, long: t`Lihat sisa kredit dan pemakaian` },
  }
}

function NewKey({ count, onCreated, onDone }: { count: number; onCreated: () => void; onDone: () => void }) {
  const { t } = useLingui()
  const scopeNames = useScopeNames()
  const [created, setCreated] = useState<ApiKeyCreated | null>(null)
  const [name, setName] = useState(() => t`Kunci ${count + 1}`)
  const [mode, setMode] = useState<ApiKeyMode>('live')
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>(apiKeyScopes)
  const [daily, setDaily] = useState('')
  const [days, setDays] = useState('')
  const form = useReauthentication({
    purpose: 'security',
    factor: 'unless-shown',
    send: async (credential) => {
      const asked = { name, mode, scopes, dailyCredits: parseNumber(daily), days: parseNumber(days) }
      setCreated(await apiJson<ApiKeyCreated>('/api/user/api_keys', { json: { ...credential, ...asked } }))
      onCreated()
    },
  })
  if (created) return <CreatedKey created={created} onDone={onDone} />
  return (
    <Form form={form} action={t`Buat kunci`}>
      <TextField
        label={t`Nama`}
        maxLength={apiKeyNameMax}
        required
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Segmented
        label={t`Jenis`}
        labelShown
        choices={{ live: t`Utama`, test: t`Uji` }}
        value={mode}
        onChange={setMode}
      />
      <p className="-mt-3 text-muted text-sm leading-relaxed">
        {mode === 'test'
          ? t`Gratis. Hasilnya bertanda air dan paling besar satu megapiksel.`
          : t`Memakai kreditmu. Hasilnya berukuran penuh.`}
      </p>
      <fieldset>
        <legend className="mb-1 font-semibold text-sm">{t`Izin`}</legend>
        {apiKeyScopes.map((scope) => (
          <CheckboxField
            key={scope}
            label={scopeNames[scope].long}
            checked={scopes.includes(scope)}
            onChange={({ target }) =>
              setScopes(apiKeyScopes.filter((one) => (one === scope ? target.checked : scopes.includes(one))))
            }
          />
        ))}
      </fieldset>
      {mode === 'live' && (
        <TextField
          label={t`Batas kredit sehari`}
          hint={t`Kosong: tanpa batas.`}
          inputMode="numeric"
          value={daily}
          onChange={({ target }) => setDaily(target.value)}
        />
      )}
      <SelectField
        label={t`Berlaku selama`}
        choices={{ '': t`Tanpa batas waktu`, 30: t`30 hari`, 90: t`90 hari`, 365: t`1 tahun` }}
        value={days}
        onChange={({ target }) => setDays(target.value)}
      />
      <ReauthenticationFields form={form} />
    </Form>
  )
}

function CreatedKey({ created, onDone }: { created: ApiKeyCreated; onDone: () => void }) {
  const { t } = useLingui()
  const messages = { done: t`Kunci disalin`, failed: t`Belum bisa disalin. Tahan teksnya, lalu salin.` }
  return (
    <div className="grid gap-5">
      <p className="leading-relaxed">
        {t`Salin sekarang dan simpan di tempat aman. Setelah ini kunci tidak bisa ditampilkan lagi.`}
      </p>
      <code className="wrap-anywhere select-all rounded-box bg-base-200 p-4 text-sm">{created.key}</code>
      <Button size="lg" onClick={() => void copyText(created.key, messages)}>
        {t`Salin kunci`}
      </Button>
      <Button size="lg" variant="ghost" onClick={onDone}>
        {t`Sudah kusimpan`}
      </Button>
    </div>
  )
}
