import { backgroundRemovalEngine } from './background-removal/engine.ts'
import type { ToolId, toolContracts } from './contracts.ts'
import type { ToolContract, ToolEngine } from './tool.ts'

type EngineOf<Contract> = Contract extends ToolContract<infer Params, infer Inputs> ? ToolEngine<Params, Inputs> : never

/** Every tool's engine; a tool without one does not pass the type check. */
export const toolEngines = {
  'background-removal': backgroundRemovalEngine,
} as const satisfies { [Id in ToolId]: EngineOf<(typeof toolContracts)[Id]> }
