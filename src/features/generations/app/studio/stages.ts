import { ArrangedPicture } from './arranged-picture.tsx'
import { Batch } from './batch.tsx'
import { Editor } from './editor.tsx'
import { GenerationStage } from './generation-stage.tsx'
import { PreviewStage } from './preview-stage.tsx'
import { UploadStage } from './upload-stage.tsx'

/**
 * What the studio shows once there is a picture: all in one file, so that the picture stays in its
 * place from one to the next.
 */
export const stages = { ArrangedPicture, Batch, Editor, GenerationStage, PreviewStage, UploadStage }
