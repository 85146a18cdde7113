import type { Rule } from '../../model/policy/profile.js'
import { ask, words } from './effect-rule.js'

const PRINTS = 'It prints a secret into the output.'
const UNSEEN = 'Let the program that needs the secret read it, or ask a person.'

/** Commands that print tokens or read password stores. Everyone who sees the output has the secret. */
export const CREDENTIAL_EFFECTS: readonly Rule[] = [
  ask({
    name: 'forge-token',
    program: ['gh', 'glab'],
    args: ['auth', ['token', '--show-token', '-t']],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['gh auth token', 'gh auth status --show-token', 'glab auth status -t'],
    misses: ['gh auth status', 'gh auth login', 'gh pr list'],
  }),
  ask({
    name: 'git-credential',
    program: ['git'],
    args: [
      words('credential credential-store credential-cache credential-libsecret credential-manager'),
      ['fill', 'get'],
    ],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['echo host=github.com | git credential fill', 'git credential-store get'],
    misses: ['git credential approve', 'git config credential.helper'],
  }),
  ask({
    name: 'aws-secret',
    program: ['aws'],
    args: [
      words('secretsmanager ssm sts ecr ecr-public kms eks rds redshift codeartifact ec2 configure sso lightsail'),
      words(
        `get-secret-value batch-get-secret-value --with-decryption get-session-token get-federation-token assume-role* get-login-password
        get-login decrypt get-token generate-db-auth-token get-cluster-credentials* get-authorization-token get-password-data
        export-credentials get-role-credentials download-default-key-pair *secret_access_key *session_token`,
      ),
    ],
    because: PRINTS,
    instead: UNSEEN,
    hits: [
      'aws secretsmanager get-secret-value --secret-id x',
      'aws ssm get-parameter --name x --with-decryption',
      'aws sts assume-role --role-arn x --role-session-name y',
      'aws --profile p configure export-credentials',
    ],
    misses: ['aws secretsmanager list-secrets', 'aws ssm get-parameter --name x', 'aws sts get-caller-identity'],
  }),
  ask({
    name: 'gcloud-secret',
    program: ['gcloud'],
    args: [
      words('auth secrets kms sql container'),
      words(
        'print-access-token print-identity-token print-refresh-token access decrypt generate-login-token get-credentials',
      ),
    ],
    because: PRINTS,
    instead: UNSEEN,
    hits: [
      'gcloud auth print-access-token',
      'gcloud auth application-default print-access-token',
      'gcloud secrets versions access latest --secret=x',
      'gcloud container clusters get-credentials c',
    ],
    misses: ['gcloud auth list', 'gcloud secrets list', 'gcloud container clusters list'],
  }),
  ask({
    name: 'azure-secret',
    program: ['az'],
    args: [
      words(
        `get-access-token get-credentials list-keys list-secrets show-connection-string list-connection-strings list-publishing-profiles
        list-publishing-credentials generate-sas`,
      ),
    ],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['az account get-access-token', 'az aks get-credentials -g g -n n', 'az redis list-keys -n x -g g'],
    misses: ['az account show', 'az aks list', 'az redis show -n x -g g'],
  }),
  ask({
    name: 'vault-secret',
    program: ['az'],
    args: ['keyvault', ['secret', 'key', 'certificate'], ['show', 'download', 'backup']],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['az keyvault secret show --vault-name v --name s'],
    misses: ['az keyvault list', 'az keyvault show --name v', 'az keyvault secret list --vault-name v'],
  }),
  ask({
    name: 'azure-key',
    program: ['az'],
    args: [
      ['keys', 'credential', 'secrets'],
      ['list', 'show', 'reset', 'renew'],
    ],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['az storage account keys list -n a', 'az acr credential show -n r'],
    misses: ['az storage account list', 'az acr show -n r'],
  }),
  ask({
    name: 'platform-secret',
    program: words('heroku fly flyctl doctl vercel vc netlify ntl railway infisical'),
    args: [words(`auth:token config config:get pg:credentials:url env:get token tokens pull variables secrets export`)],
    because: PRINTS,
    instead: UNSEEN,
    hits: [
      'heroku auth:token',
      'heroku config -a app',
      'fly auth token',
      'doctl auth token',
      'vercel env pull .env.local',
    ],
    misses: ['heroku logs', 'fly status', 'doctl auth list', 'vercel env ls'],
  }),
  ask({
    name: 'secret-print',
    program: words('pulumi doppler bw'),
    args: [
      words('config stack secrets get export'),
      words('--show-secrets download get password totp notes attachment --raw'),
    ],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['pulumi config --show-secrets', 'doppler secrets download --no-file', 'bw get password x'],
    misses: ['pulumi config', 'doppler secrets', 'doppler run -- npm start', 'bw status'],
  }),
  ask({
    name: 'secret-store',
    program: words(
      'op rbw lpass gopass keyring secret-tool keepassxc-cli kwallet-query chamber vault docker-credential-* ansible-vault',
    ),
    args: [words('read get show export item document lookup search clip -r print token unwrap view decrypt')],
    because: PRINTS,
    instead: UNSEEN,
    hits: [
      'op read op://vault/item/password',
      'op item get x --reveal',
      'keyring get service user',
      'secret-tool lookup a b',
      'vault kv get secret/app',
      'vault print token',
    ],
    misses: ['op --version', 'bw status', 'vault status', 'op run -- npm test', 'vault kv list secret'],
  }),
  ask({
    name: 'password-store',
    program: ['pass'],
    args: [words('show -c --clip otp grep */*')],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['pass show a/b', 'pass -c mail', 'pass web/example.com'],
    misses: ['pass', 'pass ls', 'pass git log'],
  }),
  ask({
    name: 'keychain',
    program: ['security'],
    args: [
      words(
        'find-generic-password find-internet-password dump-keychain export delete-*-password add-*-password unlock-keychain',
      ),
    ],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['security find-generic-password -w -s x', 'security dump-keychain -d'],
    misses: ['security list-keychains', 'security find-identity -v'],
  }),
  ask({
    name: 'secret-keys',
    program: ['gpg', 'gpg2'],
    args: [['--export-secret-keys', '--export-secret-key', '--export-secret-subkeys']],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['gpg --armor --export-secret-keys me@example.com'],
    misses: ['gpg --export me@example.com', 'gpg --list-secret-keys', 'gpg -d x.gpg'],
  }),
  ask({
    name: 'cluster-secret',
    program: words('kubectl oc k'),
    args: [
      'get',
      words('secret secrets secret/* secrets/* *,secret *,secrets secret,* secrets,*'),
      words(
        'yaml json jsonpath* go-template* template* custom-columns* -oyaml -ojson -ojsonpath* -ogo-template* -o=* --output=* --template*',
      ),
    ],
    because: PRINTS,
    instead: 'List only the names, without -o, or ask a person to read it.',
    hits: ['kubectl get secret db -o yaml', "kubectl -n app get secrets/db -o jsonpath='{.data.password}'"],
    misses: [
      'kubectl get secrets',
      'kubectl get secret -n app',
      'kubectl describe secret db',
      'kubectl get pods -o yaml',
    ],
  }),
  ask({
    name: 'cluster-secret-output',
    program: words('kubectl oc k'),
    args: [
      'get',
      words(
        'yaml json jsonpath* go-template* -oyaml -ojson -ojsonpath* -o=yaml -o=json -o=jsonpath* --output=yaml --output=json',
      ),
      words('secret secrets secret/* secrets/*'),
    ],
    because: PRINTS,
    instead: 'List only the names, without -o, or ask a person to read it.',
    hits: ['kubectl get -o yaml secret db', 'kubectl get -n app -ojson secrets'],
    misses: ['kubectl get -o yaml pod web', 'kubectl get -o wide secrets'],
  }),
  ask({
    name: 'cluster-login',
    program: words('kubectl oc k'),
    args: [
      ['config', 'whoami'],
      ['--raw', '-t', '--show-token'],
    ],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['kubectl config view --raw', 'oc whoami -t'],
    misses: ['kubectl config view', 'kubectl config get-contexts', 'oc whoami'],
  }),
  ask({
    name: 'registry-token',
    program: words('npm pnpm yarn'),
    args: [['config', 'c', 'get'], words('*_authToken* *:_auth *:_password *_authIdent* npmAuthToken')],
    because: PRINTS,
    instead: UNSEEN,
    hits: ['npm config get //registry.npmjs.org/:_authToken', 'yarn config get npmAuthToken'],
    misses: ['npm config get registry', 'npm config list', 'yarn config get nodeLinker'],
  }),
]
