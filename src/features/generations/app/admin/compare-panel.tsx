import { useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiJson, errorText } from '#client/api.ts'
import { formatSeconds } from '#client/format.ts'
import type { TaskName } from '#engine/task-types.ts'
import { previewLongSide, type Stroke } from '#shared/media.ts'
import { useEngineName, useToolName } from '#tools/tool-name.ts'
import { toolsQuery } from '#tools/ui/tools-query.ts'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/field.tsx'
import { Panel } from '#ui/lists/panel.tsx'
import { drawSmall } from '#ui/mask-editor/read-small.ts'
import type { ComparisonView } from '../../schemas.ts'
import { tasksQuery } from './providers-panels.tsx'

export function ComparePanel() {
  const { t } = useLingui()
  const [nameOf, engineName] = [useToolName(), useEngineName()]
  const { data } = useQuery(tasksQuery)
  const { data: tools } = useQuery(toolsQuery)
  const able = new Map<string, Set<string>>()
  const seen = (data?.items ?? []).filter(({ task }) => !tasksWithoutPicture.has(task))
  for (const { orders } of seen) {
    for (const { tool, providers } of orders) {
      if (tool && providers.length > 1) able.set(tool, new Set([...(able.get(tool) ?? []), ...providers]))
    }
  }
  const [chosen, setChosen] = useState<{ tool?: string; pair: (string | undefined)[] }>({ pair: [] })
  const [picture, setPicture] = useState<File | null>(null)
  const tool = chosen.tool ?? [...able.keys()][0]
  const names = [...(able.get(tool ?? '') ?? [])]
  const pair = [chosen.pair[0] ?? names[0], chosen.pair[1] ?? names[1]] as [string, string]
  const [input] = Object.keys(tools?.items.find(({ id }) => id === tool)?.inputs ?? {})
  const {
    mutate,
    isPending,
    data: results,
  } = useMutation({
    mutationFn: () => Promise.all(pair.map((provider) => compareOn({ tool, provider, input }, picture as File))),
  })
  if (!tool) return null
  const choices = Object.fromEntries(names.map((id) => [id, engineName(id)]))
  return (
    <Panel title={t`Bandingkan dua mesin`}>
      <div className="grid grid-cols-1 gap-3 p-4 sm:grid-cols-3">
        <SelectField
          label={t`Nama alat`}
          choices={Object.fromEntries([...able.keys()].map((id) => [id, nameOf(id)]))}
          value={tool}
          onChange={({ target: { value } }) => setChosen({ tool: value, pair: [] })}
        />
        {pair.map((value, i) => (
          <SelectField
            key={i === 0 ? 'first' : 'second'}
            label={i === 0 ? t`Mesin pertama` : t`Mesin kedua`}
            choices={choices}
            value={value}
            onChange={({ target }) =>
              setChosen({ tool, pair: pair.map((other, k) => (k === i ? target.value : other)) })
            }
          />
        ))}
        <input
          type="file"
          accept="image/*"
          aria-label={t`Foto untuk dibandingkan`}
          className="min-h-11 w-full sm:col-span-2"
          onChange={({ target }) => setPicture(target.files?.[0] ?? null)}
        />
        <Button disabled={!picture || isPending} onClick={() => mutate()}>
          {isPending ? t`Membandingkan…` : t`Bandingkan`}
        </Button>
      </div>
      {results && (
        <div className="grid gap-4 p-4 sm:grid-cols-2">
          {results.map(({ provider, seconds, failed, url }) => (
            <figure key={provider} className="grid content-start gap-2">
              {url && <img src={url} alt={engineName(provider)} className="checker w-full rounded-lg" />}
              {failed && <p className="text-danger text-sm">{failed}</p>}
              <figcaption className="text-muted text-sm">
                {engineName(provider)} · {formatSeconds(seconds)}
              </figcaption>
            </figure>
          ))}
        </div>
      )}
    </Panel>
  )
}

const tasksWithoutPicture = new Set<string>(['safety', 'videoMatte'] satisfies TaskName[])

interface Comparison {
  tool: string | undefined
  provider: string
  /** The tool's input name of the picture. */
  input: string | undefined
}

async function compareOn({ tool, provider, input }: Comparison, picture: File) {
  try {
    const body = new FormData()
    // Enlarged pictures are shown in preview size.
    const side = tool === 'enhancement' ? previewLongSide / 2 : previewLongSide
    const address = URL.createObjectURL(picture)
    const { canvas, width, height } = await drawSmall(address, side).finally(() => URL.revokeObjectURL(address))
    body.set('params', JSON.stringify(tool === 'object-removal' ? { strokes: [centreStroke(width, height)] } : {}))
    body.set(input ?? 'picture', await canvas.convertToBlob({ type: 'image/png' }), 'picture.png')
    const query = new URLSearchParams({ provider })
    const found = await apiJson<ComparisonView>(`/api/admin/tools/${tool}/compare?${query}`, { method: 'POST', body })
    const [output] = found.outputs
    return { provider, ...found, url: output && `data:${output.contentType};base64,${output.data}` }
  } catch (error) {
    return { provider, seconds: 0, failed: errorText(error), url: undefined }
  }
}

/** Region to remove when the admin has marked nothing. */
const centreStroke = (width: number, height: number): Stroke => ({
  mode: 'keep',
  shape: 'area',
  size: 1,
  points: [0.4, 0.4, 0.6, 0.4, 0.6, 0.6, 0.4, 0.6].map((share, i) => Math.round(share * (i % 2 ? height : width))),
})
