//! Secrets for destinations: only names under `RECOURSE_SECRET_`, from the environment or from files of one folder.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use domain::workflow::SecretName;
use service::outbound::NotSent;

/// Where secrets are looked up. Files are read when they are needed, so that a new one counts at once.
#[derive(Clone, Default)]
pub struct Secrets {
    /// By name.
    pub environment: BTreeMap<String, String>,
    /// A folder with one file for each secret, named as it is.
    pub folder: Option<PathBuf>,
}

/// Never tells a secret.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").field("names", &self.environment.keys()).field("folder", &self.folder).finish()
    }
}

impl Secrets {
    /// The secret with this name, or that there is none.
    pub(crate) fn get(&self, name: &SecretName) -> Result<String, NotSent> {
        // The name is capital letters, digits and underscores: it can't lead out of the folder.
        let file = self.folder.as_ref().map(|folder| folder.join(name.as_str()));
        let text = match file.filter(|file| file.exists()) {
            Some(file) => std::fs::read_to_string(file).ok().map(|text| text.trim_end_matches(['\r', '\n']).to_owned()),
            None => self.environment.get(name.as_str()).cloned(),
        };
        text.filter(|text| !text.is_empty()).ok_or_else(|| {
            NotSent(format!(
                "The secret {name} is not set: give it as a variable, or as a file in RECOURSE_SECRETS_DIR."
            ))
        })
    }
}
