import { useMutation } from '@tanstack/react-query'
import { errorText } from '#client/api.ts'
import { queryClient } from '#client/query.ts'
import { ensureToolConsent, maySend } from '#features/account/app/account.ts'
import { ensureAllowedAge } from '#features/guardians/app/guardians.ts'
import { enqueue, type NewFile } from '#features/uploads/app/uploads.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import type { TaskSpecs } from '#tools/contract/tool.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { improvesResult, toolsQuery } from '#tools/ui/tools-query.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { rememberToolUse } from '../used-tools.ts'
import { generationParams, generationsOf, mainInput, toolFiles } from './inputs.ts'
import { downloadWhenReady } from './pending-generation.ts'
import { stateOfGeneration } from './stage-of.ts'
import type { StartedGeneration, StudioState } from './studio-state.ts'
import { fileToSend } from './use-photo-check.ts'
import { type Dispatch, rememberParams } from './use-studio.ts'

export function useStartGenerations(page: AnyToolPage, state: StudioState, dispatch: Dispatch) {
  const { definition } = page
  return useMutation({
    mutationFn: async ({
      price,
      check,
      download,
      count,
    }: {
      price: number
      check: PhotoCheckView | null
      download: boolean
      /** Only the first generations of a batch; the others stay for later. */
      count?: number | undefined
    }) => {
      if (!(await ensureAllowedAge(definition))) return
      if (!(await ensureToolConsent(definition)) || !(await ensureRemoteConsent(page, state))) return
      rememberParams(definition.id, state.params)
      rememberToolUse(definition.id)
      const generations: StartedGeneration[] = []
      try {
        for (const inputs of generationsOf(definition, state.inputs).slice(0, count)) {
          const generation = await generationToSend(page, stateOfGeneration(page, state, inputs), check)
          const job = await enqueue({ kind: 'generation', tool: definition.id, ...generation, price })
          generations.push({ picture: inputs[mainInput(definition)]?.[0]?.id ?? '', job })
        }
      } finally {
        // Pictures that failed to enter the queue stay in the studio.
        if (download && generations[0] && generations.length === 1) downloadWhenReady(generations[0].job)
        if (generations.length > 0) dispatch({ type: 'started', generations })
      }
    },
    onError: (error) => showSnackbar('error', errorText(error)),
  })
}

/** Declined services are remembered only where the engine can do the task. */
const declined = new Set<string>()

/** Tasks that the engine can do continue without external providers. */
async function ensureRemoteConsent({ definition }: AnyToolPage, { params }: StudioState): Promise<boolean> {
  const { remote = {} } =
    queryClient.getQueryData(toolsQuery.queryKey)?.items.find(({ id }) => id === definition.id) ?? {}
  const needed = (definition.needs?.(params) ?? []).flatMap((task) => remote[task] ?? [])
  if (needed[0]) return maySend(needed[0])
  const helpful = Object.values(definition.tasks as TaskSpecs).flatMap(
    (task) => (improvesResult(task) && remote[task]) || [],
  )
  if (!helpful[0] || declined.has(helpful[0])) return true
  if (!(await maySend(helpful[0]))) declined.add(helpful[0])
  return true
}

async function generationToSend(page: AnyToolPage, state: StudioState, check: PhotoCheckView | null) {
  const { definition } = page
  const main = mainInput(definition)
  const files: Record<string, NewFile[]> = {}
  let size = null
  for (const field of Object.keys(definition.inputs)) {
    for (const picture of state.inputs[field] ?? []) {
      const sent = await fileToSend(picture, state.shrink)
      if (field === main) size ??= sent.size
      files[field] = [...(files[field] ?? []), sent.file]
    }
  }
  // If reducing failed, the original is sent, and the parameters must refer to its pixels.
  const expected = toolFiles(state)[main]?.[0]?.size
  const shrunk = size === null || size.width === expected?.width
  return { params: generationParams(page, shrunk ? state : { ...state, shrink: false }, check), inputs: files }
}
