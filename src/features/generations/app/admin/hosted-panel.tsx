import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatDollars, parseNumber } from '#client/format.ts'
import { ChangeSwitch } from '#ui/admin/change-switch.tsx'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { TablePanel } from '#ui/admin/list.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { TextAreaField, TextField } from '#ui/field.tsx'
import { Code } from '#ui/lists/panel.tsx'
import type { ProviderSettingsView } from '../../schemas.ts'

/** Every change sends all settings back. */
const settingsOf = ({ enabled, budgetDay, budgetMonth, models, version }: ProviderSettingsView) => {
  return { enabled, budgetDay, budgetMonth, models, version }
}

export function HostedPanel() {
  const { t } = useLingui()
  const { data } = useQuery(adminQuery<{ items: ProviderSettingsView[] }>('provider_settings'))
  if (!data || data.items.length === 0) return null
  const ofBudget = (spent: number, budget: number | null) =>
    budget === null ? formatDollars(spent) : t`${formatDollars(spent)} dari ${formatDollars(budget)}`
  return (
    <TablePanel
      title={t`Layanan luar`}
      rows={data.items}
      rowKey="provider"
      empty=""
      columns={[
        { name: t`Nama`, cell: ({ provider }) => <Code>{provider}</Code> },
        {
          name: t`Menyala`,
          cell: (settings) => (
            <ChangeSwitch
              label={t`${settings.provider} menyala`}
              checked={settings.enabled}
              change={(enabled) => ({
                path: `provider_settings/${settings.provider}`,
                method: 'PUT',
                json: { ...settingsOf(settings), enabled },
              })}
            />
          ),
        },
        { name: t`Hari ini`, as: 'number', cell: ({ spentDay, budgetDay }) => ofBudget(spentDay, budgetDay) },
        {
          name: t`Bulan ini`,
          as: 'number',
          cell: ({ spentMonth, budgetMonth }) => ofBudget(spentMonth, budgetMonth),
        },
        { name: t`Model`, as: 'wide', cell: ({ models }) => models.map(({ task }) => task).join(', ') || '–' },
        {
          name: t`Ubah`,
          cell: (settings) => (
            <DialogButton variant="soft" dialog={<SettingsDialog settings={settings} />}>{t`Atur`}</DialogButton>
          ),
        },
      ]}
    />
  )
}

function SettingsDialog({ settings }: { settings: ProviderSettingsView }) {
  const { t } = useLingui()
  const { provider, budgetDay, budgetMonth, models } = settings
  return (
    <FormDialog
      title={t`Atur ${provider}`}
      text={t`Pekerjaan yang sudah dikirim tetap selesai. Kalau anggaran habis, mesin berikutnya yang dipakai.`}
      successMessage={t`Pengaturan ${provider} tersimpan.`}
      values={{
        budgetDay: String(budgetDay ?? ''),
        budgetMonth: String(budgetMonth ?? ''),
        models: JSON.stringify(models, null, 2),
      }}
      change={(given) => ({
        path: `provider_settings/${provider}`,
        method: 'PUT',
        json: {
          ...settingsOf(settings),
          budgetDay: parseNumber(given.budgetDay),
          budgetMonth: parseNumber(given.budgetMonth),
          models: parsed(given.models),
        },
      })}
    >
      {({ field }) => (
        <>
          <TextField
            label={t`Anggaran sehari (US$)`}
            hint={t`Kosong: tanpa batas.`}
            inputMode="decimal"
            {...field('budgetDay')}
          />
          <TextField
            label={t`Anggaran sebulan (US$)`}
            hint={t`Kosong: tanpa batas.`}
            inputMode="decimal"
            {...field('budgetMonth')}
          />
          <TextAreaField
            label={t`Model (JSON)`}
            hint={t`Satu untuk tiap tugas: target, input, output, harga, dan batas waktu.`}
            rows={14}
            spellCheck={false}
            {...field('models')}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Invalid JSON is sent unchanged; the server rejects it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
