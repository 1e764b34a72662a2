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
import type { ChosenPicture } from '../picture.ts'
import { rememberToolUse } from '../used-tools.ts'
import { generationParams, generationsOf, mainInput, toolFiles } from './inputs.ts'
import { rememberParams } from './kept-params.ts'
import { downloadWhenReady } from './pending-generation.ts'
import { pictureToSend } from './read-files.ts'
import { stateOfGeneration } from './stage-of.ts'
import type { Dispatch, StartedGeneration, StudioState } from './studio-state.ts'

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
  let mainSize = null
  for (const field of Object.keys(definition.inputs)) {
    for (const picture of state.inputs[field] ?? []) {
      const { file, begun } = prepare(picture, state.shrink)
      const { blob, name, size } = await file
      if (field === main) mainSize ??= size
      files[field] = [...(files[field] ?? []), { blob, name, begun, output: picture.output, size }]
    }
  }
  // If reducing failed, the original is sent, and the parameters must refer to its pixels.
  const expected = toolFiles(state)[main]?.[0]?.size
  const shrunk = mainSize === null || mainSize.width === expected?.width
  return { params: generationParams(page, shrunk ? state : { ...state, shrink: false }, check), inputs: files }
}

/** Prepared once for the check and the following generation. */
interface Prepared {
  file: ReturnType<typeof pictureToSend>
  begun: NewFile['begun']
}

const prepared = new WeakMap<Blob, Map<boolean, Prepared>>()

export function prepare(picture: ChosenPicture, shrink: boolean): Prepared {
  const forms = prepared.get(picture.original) ?? new Map<boolean, Prepared>()
  prepared.set(picture.original, forms)
  const known = forms.get(shrink)
  if (known) return known
  const made: Prepared = { file: pictureToSend(picture, shrink), begun: undefined }
  forms.set(shrink, made)
  return made
}

export function forgetEarlyUpload(picture: ChosenPicture): void {
  for (const form of prepared.get(picture.original)?.values() ?? []) form.begun = undefined
}
