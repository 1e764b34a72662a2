import type { Facts } from '#tools/contract/tool.ts'
import type * as schemas from './schemas.ts'

type WithFacts<View> = Omit<View, 'facts'> & { facts: Facts }

/** The address is signed and expires. */
export type FileView = typeof schemas.fileView.infer
export type OutputView = typeof schemas.outputView.infer
export type GenerationView = WithFacts<typeof schemas.generationView.infer>
export type GenerationCreated = WithFacts<typeof schemas.generationCreated.infer>
export type PreviewView = typeof schemas.previewView.infer
export type RefundRequestView = typeof schemas.refundRequestView.infer
export type AdminRefundRequest = typeof schemas.adminRefundRequest.infer

export type RefundRequestAnswer = typeof schemas.refundRequestAnswer.infer
export type ToolSettingsView = typeof schemas.toolSettings.infer
export type TaskView = typeof schemas.task.infer
export type ModelView = typeof schemas.model.infer
export type ProviderTestView = typeof schemas.providerTestView.infer
export type ComparisonView = typeof schemas.comparisonView.infer
export type ProviderView = typeof schemas.provider.infer
export type ProviderSettingsView = (typeof schemas.providerSettingsList.infer)['items'][number]
export type ProviderSettingsInput = typeof schemas.providerSettingsInput.infer
export type TaskOrderInput = typeof schemas.taskOrderInput.infer
export type ToolSettingsInput = typeof schemas.toolSettingsInput.infer

declare module '#features/events/types.ts' {
  interface ServerEvents {
    generation: GenerationView
  }
}
