import { useLingui } from '@lingui/react/macro'
import type { DevicePicture } from '#tools/browser/messages.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { Size } from '#ui/geometry.ts'

/** What this device made of the picture, over it, until the full result comes from the server. */
export function DevicePreview({ picture }: { picture: DevicePicture }) {
  const { t } = useLingui()
  const url = useObjectUrl(picture.blob)
  return (
    <>
      <div className="device-preview checker *:absolute *:inset-0 *:size-full">
        {url && <img src={url} alt={t`Pratinjau hasil`} draggable={false} />}
      </div>
      <span className="compare-tag left-3">{t`Pratinjau di perangkat ini`}</span>
    </>
  )
}

/** The frame's size where the preview has another shape than its picture, as when it is cropped. */
export function previewShape(preview: Size | null, picture: Size | null | undefined): Size | null {
  if (!preview || !picture) return null
  return Math.abs(preview.width / preview.height - picture.width / picture.height) < 0.02 ? picture : preview
}
