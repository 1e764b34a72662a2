import type { Logo } from '../contract/logo.ts'
import { useLogoUrl } from './logo-query.ts'
import type { PreviewProps } from './page.ts'

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
