import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TaskName } from '#engine/task-types.ts'
import type { Json } from '#shared/schema.ts'
import { resultPart } from '../normalize-result.ts'
import type { TaskRequest } from '../provider.ts'
import type { ComfyClient, Graph } from './client.ts'

/**
 * Slots of a workflow, and the node inputs they fill. Node titles: `slot: seed`, `slot: picture 1
 * MP` for a picture of at most a million pixels, `slot: result` for the result.
 */
const slotInputs = {
  picture: ['image'],
  mask: ['image'],
  matte: ['image'],
  reference: ['image'],
  prompt: ['prompt', 'text', 'value'],
  seed: ['seed', 'noise_seed', 'value'],
  width: ['width', 'value'],
  height: ['height', 'value'],
  factor: ['scale_by', 'upscale_by', 'value'],
  strength: ['strength', 'denoise', 'value'],
  denoise: ['denoise', 'strength', 'value'],
} as const
type SlotName = keyof typeof slotInputs
const pictureSlots: readonly string[] = ['picture', 'mask', 'matte', 'reference'] satisfies SlotName[]

interface Slot {
  name: SlotName
  node: string
  input: string
}

export interface Workflow {
  /** `comfyui:<task>/<name>`. */
  id: string
  task: TaskName
  graph: Graph
  slots: readonly Slot[]
  result: string
  /** Largest pixels of its input pictures. */
  maxArea: number | undefined
}

export interface BrokenWorkflow {
  id: string
  problem: string
}

const builtInFolder = fileURLToPath(new URL('workflows', import.meta.url))

/**
 * Built-in workflows and those in `ownDir`, which replace equal names: a graph in its task's
 * folder, or a graph for several tasks beside `<name>.tasks.json` with the prompt for each.
 */
export function loadWorkflows(ownDir: string): { workflows: Workflow[]; broken: BrokenWorkflow[] } {
  const files = new Map([...workflowFiles(builtInFolder), ...workflowFiles(ownDir)])
  const workflows: Workflow[] = []
  const broken: BrokenWorkflow[] = []
  for (const [name, { path, words }] of files) {
    const id = `comfyui:${name}`
    try {
      const workflow = readWorkflow(id, name.split('/')[0] ?? '', readJson(path))
      workflows.push(words === undefined ? workflow : withPrompt(workflow, words))
    } catch (error) {
      broken.push({ id, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return { workflows, broken }
}

interface WorkflowFile {
  path: string
  /** Prompt of a graph for several tasks. */
  words?: string
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

function workflowFiles(folder: string): [name: string, file: WorkflowFile][] {
  const list = (path: string) => {
    try {
      return readdirSync(path, { withFileTypes: true })
    } catch {
      return []
    }
  }
  const shared = list(folder).flatMap(({ name }): [string, WorkflowFile][] => {
    const [, base] = /^(.+)\.tasks\.json$/.exec(name) ?? []
    if (!base) return []
    try {
      const all = readJson(join(folder, name)) as Record<string, string>
      return Object.entries(all).map(([task, words]) => [
        `${task}/${base}`,
        { path: join(folder, `${base}.json`), words },
      ])
    } catch {
      // Reading it again reports the problem.
      return [[name, { path: join(folder, name) }]]
    }
  })
  const own = list(folder)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: task }) =>
      list(join(folder, task))
        .filter(({ name }) => name.endsWith('.json'))
        .map(({ name }): [string, WorkflowFile] => [`${task}/${parse(name).name}`, { path: join(folder, task, name) }]),
    )
  return [...shared, ...own].toSorted(([a], [b]) => a.localeCompare(b))
}

/** Parses a graph in the format of ComfyUI's API; throws if it is unusable. */
function readWorkflow(id: string, task: string, file: unknown): Workflow {
  if (!Object.hasOwn(resultPart, task)) throw new Error(`there is no task ${task}`)
  if (typeof file !== 'object' || file === null || Array.isArray(file)) throw new Error('not in the API format')
  const graph = file as Graph
  const slots: Slot[] = []
  const results: string[] = []
  let maxArea: number | undefined
  for (const [node, { class_type, inputs, _meta }] of Object.entries(graph)) {
    if (typeof class_type !== 'string' || typeof inputs !== 'object')
      throw new Error('not in the API format: in ComfyUI choose Export (API)')
    const [, titled] = /^slot:\s*(.+)$/i.exec(_meta?.title ?? '') ?? []
    for (const part of titled?.split(',') ?? []) {
      const [, name = '', megapixels] = /^\s*(\w+)(?:\s+([\d.]+)\s*MP)?\s*$/i.exec(part) ?? []
      if (name === 'result') results.push(node)
      else if (!Object.hasOwn(slotInputs, name)) throw new Error(`there is no slot ${part.trim()}`)
      else {
        const input = slotInputs[name as SlotName].find((candidate) => candidate in inputs)
        if (!input) throw new Error(`${class_type} has no input ${name}`)
        slots.push({ name: name as SlotName, node, input })
        if (megapixels) maxArea = 1_000_000 * Number(megapixels)
      }
    }
  }
  const [result] = results
  if (!result || results.length > 1) throw new Error('one node must have the title "slot: result"')
  return { id, task: task as TaskName, graph, slots, result, maxArea }
}

function withPrompt(workflow: Workflow, words: string): Workflow {
  const slot = workflow.slots.find(({ name }) => name === 'prompt')
  if (!slot) throw new Error('one node must have the title "slot: prompt"')
  const graph = structuredClone(workflow.graph) as Record<string, Graph[string]>
  const { inputs } = graph[slot.node] as Graph[string]
  inputs[slot.input] = words
  return { ...workflow, graph }
}

/** If a task lacks these, the file's values stay. */
const optionalSlots: readonly string[] = ['prompt', 'seed'] satisfies SlotName[]

/** True if a request has everything that the workflow needs. */
export function acceptsRequest({ slots }: Workflow, { files, data }: Pick<TaskRequest, 'files' | 'data'>): boolean {
  return slots.every(
    ({ name }) => optionalSlots.includes(name) || name in data || files.some(({ label }) => label === name),
  )
}

/** `pictures` are names of files on the server. */
export function fillWorkflow(
  { graph, slots, result }: Workflow,
  values: { pictures: Readonly<Record<string, string>>; data: { readonly [name: string]: Json } },
  reference: string,
): Graph {
  const filled = structuredClone(graph) as Record<string, Graph[string]>
  for (const { name, node, input } of slots) {
    const inputs = filled[node]?.inputs
    if (!inputs || (optionalSlots.includes(name) && values.data[name] === undefined)) continue
    if (pictureSlots.includes(name)) inputs[input] = values.pictures[name]
    else if (name === 'prompt') {
      // The file's prompt may contain a placeholder for the user's.
      const around = String(inputs[input])
      const words = String(values.data.prompt)
      inputs[input] = around.includes('{prompt}') ? around.replaceAll('{prompt}', () => words) : words
    } else inputs[input] = values.data[name]
  }
  for (const node of Object.values(filled)) delete node._meta
  const last = filled[result]
  if (last) {
    // A graph that was run before would end without output.
    last.inputs[last.class_type === 'SaveImage' ? 'filename_prefix' : 'rupa_job'] = `rupa-${reference}`
  }
  return filled
}

/** For servers whose nodes do not list model files. */
const modelFolders: Readonly<Record<string, string>> = {
  ckpt_name: 'checkpoints',
  unet_name: 'diffusion_models',
  clip_name: 'text_encoders',
  clip_name1: 'text_encoders',
  clip_name2: 'text_encoders',
  vae_name: 'vae',
  lora_name: 'loras',
  control_net_name: 'controlnet',
  model_name: 'upscale_models',
  bg_removal_name: 'background_removal',
}

/** Empty if complete. */
export async function missingPartsOf(
  client: ComfyClient,
  { graph, slots }: Workflow,
  known: ServerCache,
): Promise<string[]> {
  const lacks = new Set<string>()
  for (const [node, { class_type, inputs }] of Object.entries(graph)) {
    const specs = await remembered(known.nodes, class_type, () => client.nodeInputs(class_type))
    if (!specs) {
      lacks.add(`node ${class_type}`)
      continue
    }
    for (const [input, value] of Object.entries(inputs)) {
      if (typeof value !== 'string' || slots.some((slot) => slot.node === node && slot.input === input)) continue
      const folder = modelFolders[input]
      const options =
        optionsOf(specs[input]) ??
        (folder
          ? await remembered(known.folders, folder, () => client.models(folder).catch(() => undefined))
          : undefined)
      if (options && !options.includes(value)) lacks.add(folder ? `${folder}/${value}` : `${class_type}: ${value}`)
    }
  }
  return [...lacks]
}

export interface ServerCache {
  nodes: Map<string, Promise<Record<string, unknown> | undefined>>
  folders: Map<string, Promise<string[] | undefined>>
}

function remembered<Value>(cache: Map<string, Promise<Value>>, key: string, ask: () => Promise<Value>): Promise<Value> {
  const asked = cache.get(key) ?? ask()
  cache.set(key, asked)
  return asked
}

/** Lists come in two formats. */
function optionsOf(spec: unknown): string[] | undefined {
  if (!Array.isArray(spec)) return undefined
  const [type, more] = spec as [unknown, { options?: unknown } | undefined]
  const options = Array.isArray(type) ? type : type === 'COMBO' ? more?.options : undefined
  return Array.isArray(options) ? options.map(String) : undefined
}
