import type { Logo } from '#tools/contract/logo.ts'
import { useLogoUrl } from '#tools/ui/logo-query.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { PreviewProps } from '#tools/ui/page.ts'
import type { BackgroundRemovalParams } from '../contract/definition.ts'

/** Composed by the browser until the server has rendered the result. */
export function BackgroundRemovalPreview({ baseUrl, sourceUrl, params, files }: PreviewProps<BackgroundRemovalParams>) {
  const { background, shadow, logo } = params
  const own = useObjectUrl(background.type === 'image' ? files.background?.[0] : null)
  return (
    <div className="absolute inset-0 overflow-hidden">
      {background.type === 'color' && (
        <div className="absolute inset-0" style={{ backgroundColor: background.color }} />
      )}
      {background.type === 'blur' && sourceUrl && (
        <img src={sourceUrl} alt="" className="absolute inset-0 size-full scale-110 object-cover blur-lg" />
      )}
      {own && <img src={own} alt="" className="absolute inset-0 size-full object-cover" />}
      <img
        src={baseUrl}
        alt=""
        draggable={false}
        className={`absolute inset-0 size-full ${shadow ? 'drop-shadow-[0_10px_12px_rgb(0_0_0/0.35)]' : ''}`}
      />
      {logo && <LogoOver logo={logo} files={files} />}
    </div>
  )
}

export function LogoOver({
  logo: { place, size, margin, opacity },
  files,
}: { logo: Logo } & Pick<PreviewProps<unknown>, 'files'>) {
  const url = useLogoUrl(files)
  const [across, down] = [place.endsWith('left') ? 'left' : 'right', place.startsWith('top') ? 'top' : 'bottom']
  const side = `${100 * size}cqmin`
  const edge = `${100 * margin}cqmin`
  const at =
    place === 'center'
      ? { inset: 0, margin: 'auto', objectPosition: 'center' }
      : { [across]: edge, [down]: edge, objectPosition: `${across} ${down}` }
  return (
    <div className="absolute inset-0" style={{ containerType: 'size' }}>
      {url && (
        <img
          src={url}
          alt=""
          style={{ position: 'absolute', objectFit: 'contain', width: side, height: side, opacity, ...at }}
        />
      )}
    </div>
  )
}
