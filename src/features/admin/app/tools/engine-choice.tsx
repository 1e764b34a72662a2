import { useLingui } from '@lingui/react/macro'
import type { ToolSettingsView } from '#features/generations/types.ts'
import { useChange } from '#ui/admin/queries.ts'
import { Field } from '#ui/field.tsx'

/** What somebody who works for tools is called. */
export function useEngineName(): (provider: string) => string {
  const { t } = useLingui()
  return (provider) => (provider === 'local' ? t`Server ini` : provider)
}

/** Who works for a tool: a choice where there are several, else a fact. */
export function EngineChoice({ settings: { tool, provider, providers } }: { settings: ToolSettingsView }) {
  const { t } = useLingui()
  const nameOf = useEngineName()
  const change = useChange({ said: t`Pengaturan alat tersimpan.` })
  if (providers.length < 2) {
    return (
      <div className="grid gap-1.5">
        <h3 className="font-semibold text-sm">{t`Mesin`}</h3>
        <p>
          {nameOf(provider)} <span className="text-muted">· {t`tidak ada mesin lain untuk alat ini`}</span>
        </p>
      </div>
    )
  }
  return (
    <Field label={t`Mesin`} hint={t`Siapa yang mengerjakan pembuatan berikutnya.`}>
      {(ids) => (
        <select
          {...ids}
          className="select w-full"
          value={provider}
          disabled={change.isPending}
          onChange={(event) =>
            change.mutate({
              path: `/api/admin/tools/${tool}`,
              method: 'PATCH',
              json: { provider: event.target.value },
            })
          }
        >
          {providers.map((name) => (
            <option key={name} value={name}>
              {nameOf(name)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
