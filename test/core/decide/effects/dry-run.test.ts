import { describe, expect, it } from 'vitest'
import { decided } from '../fixture.js'

const free = { profile: { network: 'full' } } as const

describe('a dry run', () => {
  it.each([
    'git push --dry-run origin main',
    'git push origin main --dry-run',
    'npm publish --dry-run',
    'kubectl apply -f x.yaml --dry-run=client',
    'mail --help',
    'ssh -V',
    'terraform --help',
    'npm publish --access public --dry-run',
    'cargo publish --allow-dirty --dry-run',
    'git push --tags --dry-run',
    'kubectl apply --filename=x.yaml --dry-run=server',
    'kubectl run web --image=x --dry-run=client -o yaml',
    'docker compose --dry-run down -v',
    'git push --help',
    'git push -h',
    'git filter-branch --help',
    'kubectl delete --help',
    'npm publish --help',
    'npm help publish',
    'helm help upgrade',
    'terraform apply --help',
    'terraform apply -help',
    'gh pr create --help',
    'gcloud run deploy --help',
    'aws s3 rm help',
    'docker image push --help',
    'twine upload --help',
    'vercel deploy --help',
    'git push -n origin main',
    'cargo publish -n',
    'mkinitcpio --hookhelp base',
    'apparmor_parser -Q profile',
    'semantic-release --dry-run',
    'ansible-playbook site.yml --syntax-check',
  ])('is not asked about: %s', (text) => {
    expect(decided(text, free).verdict).toBe('allow')
  })

  it.each([
    'git push -o --dry-run origin main',
    'git push -- --dry-run',
    'git push --dry-run-not origin',
    'git --dry-run push',
    'ssh example.com x --dry-run',
    'ssh example.com --help',
    'terraform apply --help-me',
    'git push -- origin --dry-run',
    'kubectl exec pod -- rm x --dry-run',
    'kubectl exec pod rm x --dry-run',
    'docker run --privileged image rm x --dry-run',
    'docker exec --privileged app rm x --dry-run',
    'docker run --privileged image --help',
    'yarn run publish --dry-run',
    'yarn run publish --help',
    'git push -- --help',
    'git push -o --help',
    'git push origin --help',
    'git push --help origin',
    'kubectl delete -n --help',
    'kubectl exec pod --help',
    'aws s3 rm s3://x help',
    'heroku apps:destroy x --help',
    'redis-cli FLUSHALL --help',
    'surge x --help',
    'git push -o -n origin',
    'git push origin -- -n',
    'npm publish -n',
    'mkinitcpio -p linux',
    'apparmor_parser -r profile',
  ])('is none where the option is the value of another, or passed on: %s', (text) => {
    expect(decided(text, free).verdict).toBe('ask')
  })
})
