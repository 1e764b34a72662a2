import { useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiJson, errorText } from '#client/api.ts'
import { formatDollars, formatNumber, formatSeconds } from '#client/format.ts'
import { useEngineName, useToolName } from '#tools/tool-name.ts'
import { closeDialog, DialogButton } from '#ui/admin/dialogs.tsx'
import { TablePanel } from '#ui/admin/list.tsx'
import { adminQuery, useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField } from '#ui/field.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { Code } from '#ui/lists/panel.tsx'
import type { ProviderTestView, ProviderView, TaskView } from '../../schemas.ts'

export const tasksQuery = adminQuery<{ items: TaskView[] }>('tasks')

export function ProvidersPanel() {
  const { t } = useLingui()
  const { data, isFetching, refetch } = useQuery(adminQuery<{ items: ProviderView[] }>('providers'))
  const test = (
    <Button variant="ghost" busy={isFetching} onClick={() => void refetch()}>
      {t`Periksa lagi`}
    </Button>
  )
  return (
    <TablePanel
      title={t`Mesin lain`}
      actions={test}
      rows={data?.items ?? []}
      empty={t`Tidak ada: server mengerjakan semuanya sendiri. Model bisa dipasang di bawah.`}
      columns={[
        { name: t`Nama`, cell: ({ id }) => <Code>{id}</Code> },
        { name: t`Tugas`, cell: ({ tasks }) => tasks.join(', ') },
        { name: t`Keadaan`, as: 'wide', cell: (provider) => <Health {...provider} /> },
        { name: t`Berjalan`, as: 'number', cell: ({ running }) => formatNumber(running) },
        { name: t`Median durasi`, as: 'number', cell: ({ medianSeconds }) => formatSeconds(medianSeconds) },
        { name: t`Biaya 24 jam`, as: 'number', cell: ({ spent }) => (spent > 0 ? formatDollars(spent) : '–') },
        { name: t`Gagal 24 jam`, as: 'number', cell: ({ failures }) => formatNumber(failures) },
        {
          name: t`Coba`,
          cell: ({ id, testable }) =>
            testable.length > 0 && (
              <DialogButton variant="soft" dialog={<TestDialog id={id} tasks={testable} />}>{t`Coba`}</DialogButton>
            ),
        },
      ]}
    />
  )
}

function Health({ ok, detail, lastError }: ProviderView) {
  const { t } = useLingui()
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone={ok ? 'good' : 'warn'}>{detail}</Badge>
      {lastError && <span className="text-muted text-xs">{t`Gagal terakhir: ${lastError}`}</span>}
    </span>
  )
}

type Order = TaskView['orders'][number] & { task: string; key: string }

function First({ task, tool, providers, version }: Order) {
  const { t } = useLingui()
  const nameOf = useEngineName()
  const { mutate, isPending } = useChange({ successMessage: t`Urutan mesin tersimpan.` })
  return (
    <SelectField
      label={t`Dicoba lebih dulu`}
      hint={providers.slice(1).map(nameOf).join(' → ')}
      choices={Object.fromEntries(providers.map((id) => [id, nameOf(id)]))}
      value={providers[0]}
      disabled={isPending}
      onChange={({ target: { value } }) => {
        const order = [value, ...providers.filter((id) => id !== value)]
        mutate({ path: `tasks/${task}`, method: 'PUT', json: { tool, providers: order, version } })
      }}
    />
  )
}

export function TaskOrdersPanel() {
  const { t } = useLingui()
  const nameOf = useToolName()
  const { data } = useQuery(tasksQuery)
  const rows = (data?.items ?? []).flatMap(({ task, orders }) =>
    orders
      .filter(({ providers }) => providers.length > 1)
      .map((order): Order => ({ ...order, task, key: `${task} ${order.tool}` })),
  )
  if (rows.length === 0) return null
  return (
    <TablePanel
      title={t`Urutan mesin`}
      rows={rows}
      rowKey="key"
      empty=""
      columns={[
        { name: t`Tugas`, cell: ({ task }) => <Code>{task}</Code> },
        { name: t`Nama alat`, cell: ({ tool }) => (tool ? nameOf(tool) : t`Semua alat`) },
        { name: t`Urutan`, as: 'wide', cell: (order) => <First {...order} /> },
      ]}
    />
  )
}

/** Uses a built-in portrait. */
function TestDialog({ id, tasks }: { id: string; tasks: readonly string[] }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [task, setTask] = useState(tasks[0])
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => {
      const query = new URLSearchParams({ provider: id, task: task ?? '' })
      return apiJson<ProviderTestView>(`/api/admin/providers/test?${query}`, { method: 'POST' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['admin'] }),
  })
  const failed = error ? errorText(error) : data?.failed
  return (
    <Dialog open onClose={closeDialog} title={t`Coba ${id}`}>
      <div className="grid gap-4">
        <p className="text-muted text-sm">
          {t`Server mengirim potret contohnya sendiri, bukan foto pengguna. Biayanya dihitung seperti pembuatan biasa.`}
        </p>
        <SelectField
          label={t`Tugas`}
          choices={Object.fromEntries(tasks.map((name) => [name, name]))}
          value={task}
          disabled={isPending}
          onChange={({ target }) => setTask(target.value)}
        />
        <Button busy={isPending} onClick={() => mutate()}>{t`Coba sekarang`}</Button>
        <div role="status" className="grid gap-2">
          {data?.picture && (
            <img
              src={`data:image/png;base64,${data.picture}`}
              alt={t`Hasil percobaan`}
              className="checker w-full rounded-lg"
            />
          )}
          {failed && <p className="text-danger text-sm">{failed}</p>}
          {data && (
            <p className="text-muted text-sm">
              {[formatSeconds(data.seconds), data.cost !== null && formatDollars(data.cost)]
                .filter(Boolean)
                .join(' · ')}
            </p>
          )}
        </div>
      </div>
    </Dialog>
  )
}
