import { useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiJson, errorText } from '#client/api.ts'
import { formatSeconds } from '#client/format.ts'
import { previewLongSide } from '#contract/media.ts'
import type { ComparisonView } from '#features/generations/types.ts'
import { toolsQuery } from '#tools/ui/tools-query.ts'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/field.tsx'
import { Panel } from '#ui/lists/panel.tsx'
import { tasksQuery } from '../api.ts'
import { useEngineName, useToolName } from '../tool-name.ts'

/** One small picture through two of those who can do a tool's work, side by side. */
export function ComparePanel() {
  const { t } = useLingui()
  const [nameOf, engineName] = [useToolName(), useEngineName()]
  const { data } = useQuery(tasksQuery)
  const { data: tools } = useQuery(toolsQuery)
  const able = new Map<string, Set<string>>()
  for (const { orders } of data?.items ?? []) {
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
    mutationFn: () => Promise.all(pair.map((provider) => compared({ tool, provider, input }, picture as File))),
  })
  if (!tool) return null
  const choices = Object.fromEntries(names.map((id) => [id, engineName(id)]))
  return (
    <Panel title={t`Bandingkan dua mesin`}>
      <div className="grid gap-3 p-4 sm:grid-cols-3">
        <SelectField
          label={t`Alat`}
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
          className="min-h-11 sm:col-span-2"
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

interface Asked {
  tool: string | undefined
  provider: string
  /** The tool's name for its picture. */
  input: string | undefined
}

async function compared({ tool, provider, input }: Asked, picture: File) {
  try {
    const body = new FormData()
    body.set('params', '{}')
    body.set(input ?? 'picture', await reduced(picture), 'picture.png')
    const query = new URLSearchParams({ provider })
    const found = await apiJson<ComparisonView>(`/api/admin/tools/${tool}/compare?${query}`, { method: 'POST', body })
    const [output] = found.outputs
    return { provider, ...found, url: output && `data:${output.contentType};base64,${output.data}` }
  } catch (error) {
    return { provider, seconds: 0, failed: errorText(error), url: undefined }
  }
}

/** As small as previews are. */
async function reduced(picture: File): Promise<Blob> {
  const bitmap = await createImageBitmap(picture)
  const scale = Math.min(1, previewLongSide / Math.max(bitmap.width, bitmap.height))
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return canvas.convertToBlob({ type: 'image/png' })
}
