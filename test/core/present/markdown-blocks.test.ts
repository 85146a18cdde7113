import { describe, expect, it } from 'vitest'
import { extractBlocks } from '../../../src/core/present/markdown-blocks.js'
import { fc } from '../../property.js'

describe('bash blocks of a reply', () => {
  it.each([
    ['one', 'Do this:\n```bash\necho hi\n```\nDone.', ['echo hi']],
    ['several, in order', '```bash\na\n```\ntext\n```bash\nb\nc\n```', ['a', 'b\nc']],
    ['tildes', '~~~bash\na\n~~~', ['a']],
    ['longer fences', '`````bash\n```\na\n`````', ['```\na']],
    ['words after the language', '```bash title="x" {1}\na\n```', ['a']],
    ['a space before the language', '``` bash\na\n```', ['a']],
    ['any letter case', '```Bash\na\n```', ['a']],
    ['an indented fence', '   ```bash\n   a\n     b\n   ```', ['a\n  b']],
    ['CRLF', '```bash\r\na\r\nb\r\n```\r\n', ['a\nb']],
    ['a longer closing fence', '```bash\na\n`````', ['a']],
    ['a closing fence with blanks', '```bash\na\n  ```  ', ['a']],
  ])('the bash blocks of a reply include %s', (_, reply, blocks) => {
    expect(extractBlocks(reply)).toEqual(blocks)
  })

  it.each([
    ['no block', 'just `bash` words'],
    ['another language', '```sh\na\n```\n```python\nb\n```\n```bashful\nc\n```\n```\nd\n```'],
    ['a fence never closed', '```bash\nrm -rf x'],
    ['a block inside a longer fence', '````markdown\n```bash\na\n```\n````'],
    ['a block inside the other kind of fence', '~~~\n```bash\na\n```\n~~~'],
    ['four spaces', '    ```bash\n    a\n    ```'],
    ['inline fences', 'text ```bash a ```'],
    ['a backtick in the info string', '```bash `x`\na\n```'],
    ['an empty block', '```bash\n\n```'],
    ['an HTML comment', '<!--\n```bash\na\n```\n-->'],
    ['a shorter closing fence', '````bash\na\n```'],
    ['a closing fence of the other kind', '```bash\na\n~~~'],
  ])('a reply has no bash block in %s', (_, reply) => {
    expect(extractBlocks(reply)).toEqual([])
  })

  it('goes on after a comment', () => {
    expect(extractBlocks('<!-- x -->\n```bash\na\n```')).toEqual(['a'])
    expect(extractBlocks('<!--\nx\n-->\n```bash\na\n```')).toEqual(['a'])
  })

  it('gives back any script that is fenced with enough marks', () => {
    const script = fc.array(fc.constantFrom('echo a', '```', '~~~~', '  x', '````bash', '', '`'), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(script, (lines) => {
        const text = lines.join('\n')
        fc.pre(text.trim() !== '')
        expect(extractBlocks(`\`\`\`\`\`bash\n${text}\n\`\`\`\`\``)).toEqual([text])
      }),
    )
  })
})
